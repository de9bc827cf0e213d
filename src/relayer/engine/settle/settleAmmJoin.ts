import { Float24, roundToFloat, roundUpToFloat } from '../../../protocol/floats.ts';
import { applyMovements, release } from '../balances.ts';
import { ceilDiv, min } from '../orders/fillMath.ts';
import { integerRoot } from '../orders/poolMath.ts';
import { readPool, takePoolStorageIds } from '../pools/poolState.ts';
import { transferEntry } from '../transferEntry.ts';
import { feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

/**
 * Takes both tokens in the pool's ratio and gives LP tokens of the pool for them; what the ratio
 * does not need stays the owner's. Three transfers, the LP tokens last; the one of the fee's token
 * carries the fee.
 */
export const settleAmmJoin: Settlement = async (relayer, tx, request, block) => {
  const pool = relayer.catalog.pool(request.other_address);
  if (!pool) throw new SettlementFailure('the pool is gone');
  const { reserves, supply } = await readPool(tx, pool);
  const offered = (request.details.amounts as string[]).map(BigInt) as [bigint, bigint];
  const most = offered.map((amount) => roundToFloat(amount, Float24)) as [bigint, bigint];
  const exact =
    supply === 0n
      ? integerRoot(most[0] * most[1])
      : min((most[0] * supply) / reserves[0], (most[1] * supply) / reserves[1]);
  const lp = roundToFloat(exact, Float24);
  if (lp < request.amount || lp === 0n)
    throw new SettlementFailure(`the pool gives ${lp} LP now, less than the signed minimum`);
  // Rounded up, so that joining never dilutes the others; never above what was offered, which is a
  // float itself.
  const taken =
    supply === 0n
      ? most
      : (reserves.map((reserve) => roundUpToFloat(ceilDiv(lp * reserve, supply), Float24)) as [bigint, bigint]);
  const shared = { kind: 'ammJoin', ref: request.hash };
  await applyMovements(
    tx,
    [
      ...taken.map((amount, index) => ({
        ...shared,
        from: request.account_id,
        to: pool.accountId,
        tokenId: pool.tokens[index]?.tokenId ?? 0,
        amount,
        frozen: true,
      })),
      feeMovement(request, block),
      {
        ...shared,
        from: pool.accountId,
        to: request.account_id,
        tokenId: pool.lp.tokenId,
        amount: lp,
        frozen: false,
      },
    ],
    relayer.clock.now(),
  );
  for (const [index, amount] of taken.entries())
    await release(tx, request.account_id, pool.tokens[index]?.tokenId ?? 0, (offered[index] ?? 0n) - amount);
  await tx.query('UPDATE requests SET details = details || $2::jsonb WHERE id = $1', [
    request.id,
    JSON.stringify({ actual: taken.map(String), lp: lp.toString() }),
  ]);
  const user = { accountId: request.account_id, owner: request.owner };
  const contract = { accountId: pool.accountId, owner: pool.address };
  const { storageIds } = request.details as { storageIds: readonly number[] };
  const terms = { approvedOnL1: true, validUntil: request.valid_until, feeTokenId: request.fee_token_id };
  return [
    ...taken.map((amount, index) => {
      const tokenId = pool.tokens[index]?.tokenId ?? 0;
      return transferEntry({
        ...terms,
        from: user,
        to: contract,
        tokenId,
        amount,
        fee: tokenId === request.fee_token_id ? request.fee : 0n,
        storageId: storageIds[index] as number,
      });
    }),
    transferEntry(
      {
        ...terms,
        from: contract,
        to: user,
        tokenId: pool.lp.tokenId,
        amount: lp,
        fee: 0n,
        storageId: await takePoolStorageIds(tx, pool.address, 1),
      },
      { txType: 'JoinAmm' },
    ),
  ];
};
