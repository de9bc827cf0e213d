import { Float24, roundToFloat } from '../../../protocol/floats.ts';
import { changeMixed } from '../orders/bookLevels.ts';
import { readPool } from '../pools/poolState.ts';
import { storageIdOf } from '../requestRow.ts';
import { movePoolTokens } from './movePoolTokens.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

/** Gives LP tokens back and pays their share of both reserves, rounded down to floats. */
export const settleAmmExit: Settlement = async (relayer, tx, request, block) => {
  const { catalog, clock } = relayer;
  const pool = catalog.pool(request.other_address);
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
  const entries = await movePoolTokens(
    relayer,
    tx,
    request,
    block,
    pool,
    [...paid, request.amount],
    [storageIdOf(request)],
  );
  const [one, other] = pool.tokens;
  const market = catalog.marketOf(one.tokenId, other.tokenId);
  // What an open pool offers is compared after each step.
  if (market && !(pool.enabled && catalog.isStanding(pool))) await changeMixed(tx, [market.market], clock.now());
  return entries;
};
