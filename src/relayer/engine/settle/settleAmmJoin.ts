import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { applyMovements, OUTSIDE, release } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { OPERATOR_ACCOUNT_ID } from '../catalog.ts';
import { integerRoot } from '../orders/poolMath.ts';
import { ammUpdates } from '../pools/ammUpdates.ts';
import { changeSupply, readPool } from '../pools/poolState.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

const min = (a: bigint, b: bigint) => (a < b ? a : b);
const ceilDiv = (a: bigint, b: bigint) => (a + b - 1n) / b;

/** Takes both tokens in the pool's ratio and mints LP tokens for them; what the ratio does not need stays the owner's. */
export const settleAmmJoin: Settlement = async (relayer, tx, request) => {
  const pool = relayer.catalog.pool(request.other_address);
  if (!pool) throw new SettlementFailure('the pool is gone');
  const { reserves, supply } = await readPool(tx, pool);
  const offered = (request.details.amounts as string[]).map(BigInt) as [bigint, bigint];
  const exact =
    supply === 0n
      ? integerRoot(offered[0] * offered[1])
      : min((offered[0] * supply) / reserves[0], (offered[1] * supply) / reserves[1]);
  const lp = roundToFloat(exact, Float24);
  if (lp < request.amount || lp === 0n)
    throw new SettlementFailure(`the pool gives ${lp} LP now, less than the signed minimum`);
  // Rounded up, so that joining never dilutes the others; never above what was offered, because lp was rounded down.
  const taken =
    supply === 0n ? offered : (reserves.map((reserve) => ceilDiv(lp * reserve, supply)) as [bigint, bigint]);
  await applyMovements(
    tx,
    [
      ...taken.map((amount, index) => ({
        from: request.account_id,
        to: pool.accountId,
        tokenId: pool.tokens[index]?.tokenId ?? 0,
        amount,
        frozen: true,
        kind: 'ammJoin',
        ref: request.hash,
      })),
      {
        from: request.account_id,
        to: OPERATOR_ACCOUNT_ID,
        tokenId: request.fee_token_id,
        amount: request.fee,
        frozen: true,
        kind: 'fee',
        ref: request.hash,
      },
      {
        from: OUTSIDE,
        to: request.account_id,
        tokenId: pool.lp.tokenId,
        amount: lp,
        frozen: false,
        kind: 'lpMint',
        ref: request.hash,
      },
    ],
    relayer.clock.now(),
  );
  for (const [index, amount] of taken.entries())
    await release(tx, request.account_id, pool.tokens[index]?.tokenId ?? 0, (offered[index] ?? 0n) - amount);
  await changeSupply(tx, pool, lp);
  await tx.query('UPDATE requests SET details = details || $2::jsonb WHERE id = $1', [
    request.id,
    JSON.stringify({ actual: taken.map(String), lp: lp.toString() }),
  ]);
  return [
    ...ammUpdates(pool, taken),
    {
      txType: 'JoinAmm',
      accountId: request.account_id,
      owner: request.owner,
      token: tokenOf(pool.lp.tokenId, lp),
      fee: tokenOf(request.fee_token_id, request.fee),
      validUntil: request.valid_until,
      toAccountId: pool.accountId,
      toAccountAddress: pool.address,
      storageId: request.storage_id ?? 0,
      valid: true,
    },
  ];
};
