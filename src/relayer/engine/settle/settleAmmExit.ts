import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { applyMovements, OUTSIDE } from '../balances.ts';
import { tokenOf } from '../blocks.ts';
import { OPERATOR_ACCOUNT_ID } from '../catalog.ts';
import { ammUpdates } from '../pools/ammUpdates.ts';
import { changeSupply, readPool } from '../pools/poolState.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

/** Burns LP tokens and pays their share of both reserves, rounded down to floats, the fee taken from the last token. */
export const settleAmmExit: Settlement = async (relayer, tx, request) => {
  const pool = relayer.catalog.pool(request.other_address);
  if (!pool) throw new SettlementFailure('the pool is gone');
  const { reserves, supply } = await readPool(tx, pool);
  const least = (request.details.amounts as string[]).map(BigInt);
  const paid = reserves.map((reserve) => roundToFloat((reserve * request.amount) / supply, Float24)) as [
    bigint,
    bigint,
  ];
  if (paid.some((amount, index) => amount < (least[index] ?? 0n)))
    throw new SettlementFailure(`the pool pays ${paid.join(' and ')} now, less than the signed minimum`);
  if (paid[1] < request.fee) throw new SettlementFailure('the fee is larger than what the pool pays');
  await applyMovements(
    tx,
    [
      {
        from: request.account_id,
        to: OUTSIDE,
        tokenId: pool.lp.tokenId,
        amount: request.amount,
        frozen: true,
        kind: 'lpBurn',
        ref: request.hash,
      },
      ...paid.map((amount, index) => ({
        from: pool.accountId,
        to: request.account_id,
        tokenId: pool.tokens[index]?.tokenId ?? 0,
        amount,
        frozen: false,
        kind: 'ammExit',
        ref: request.hash,
      })),
      {
        from: request.account_id,
        to: OPERATOR_ACCOUNT_ID,
        tokenId: request.fee_token_id,
        amount: request.fee,
        frozen: false,
        kind: 'fee',
        ref: request.hash,
      },
    ],
    relayer.clock.now(),
  );
  await changeSupply(tx, pool, -request.amount);
  await tx.query('UPDATE requests SET details = details || $2::jsonb WHERE id = $1', [
    request.id,
    JSON.stringify({ actual: paid.map(String), lp: request.amount.toString() }),
  ]);
  return [
    ...ammUpdates(pool, paid),
    {
      txType: 'ExitAmm',
      accountId: request.account_id,
      owner: request.owner,
      token: tokenOf(pool.lp.tokenId, request.amount),
      fee: tokenOf(request.fee_token_id, request.fee),
      validUntil: request.valid_until,
      toAccountId: pool.accountId,
      toAccountAddress: pool.address,
      storageId: request.storage_id ?? 0,
      valid: true,
    },
  ];
};
