import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { applyMovements } from '../balances.ts';
import { changeMixed } from '../orders/bookLevels.ts';
import { readPool, takePoolStorageIds } from '../pools/poolState.ts';
import { storageIdOf } from '../requestRow.ts';
import { transferEntry } from '../transferEntry.ts';
import { feeMovement } from './requestMovements.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

/**
 * Gives LP tokens back and pays their share of both reserves, rounded down to floats. Three
 * transfers, the LP tokens last, because that one carries the fee, which is taken from what the
 * pool pays.
 */
export const settleAmmExit: Settlement = async (relayer, tx, request, block) => {
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
  const shares = { from: request.account_id, to: pool.accountId, tokenId: pool.lp.tokenId, amount: request.amount };
  const shared = { kind: 'ammExit', ref: request.hash };
  await applyMovements(
    tx,
    [
      ...paid.map((amount, index) => ({
        ...shared,
        from: pool.accountId,
        to: request.account_id,
        tokenId: pool.tokens[index]?.tokenId ?? 0,
        amount,
        frozen: false,
      })),
      { ...shared, ...shares, frozen: true },
      { ...feeMovement(request, block), frozen: false },
    ],
    relayer.clock.now(),
  );
  await tx.query('UPDATE requests SET details = details || $2::jsonb WHERE id = $1', [
    request.id,
    JSON.stringify({ actual: paid.map(String), lp: request.amount.toString() }),
  ]);
  const [one, other] = pool.tokens;
  const { catalog } = relayer;
  const market = catalog.marketOf(one.tokenId, other.tokenId);
  // What an open pool offers is compared after each step.
  if (market && !(pool.enabled && catalog.isStanding(pool)))
    await changeMixed(tx, [market.market], relayer.clock.now());
  const user = { accountId: request.account_id, owner: request.owner };
  const contract = { accountId: pool.accountId, owner: pool.address };
  const storageId = await takePoolStorageIds(tx, pool.address, paid.length);
  const terms = { approvedOnL1: true, validUntil: request.valid_until, feeTokenId: request.fee_token_id };
  return [
    ...paid.map((amount, index) =>
      transferEntry({
        ...terms,
        from: contract,
        to: user,
        tokenId: pool.tokens[index]?.tokenId ?? 0,
        amount,
        fee: 0n,
        storageId: storageId + index,
      }),
    ),
    transferEntry(
      {
        ...terms,
        from: user,
        to: contract,
        tokenId: shares.tokenId,
        amount: shares.amount,
        fee: request.fee,
        storageId: storageIdOf(request),
      },
      { txType: 'ExitAmm' },
    ),
  ];
};
