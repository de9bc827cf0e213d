import type { EndpointAnswer } from '../../protocol/endpointTable.ts';
import { MAX_PUSHED_SLOTS } from '../../protocol/push.ts';
import { checkLevel, readDepth } from '../engine/marketData/depth.ts';
import { findSelection } from '../engine/marketData/selection.ts';
import { describeSlot } from '../engine/marketData/slots.ts';
import { Refusal } from '../errors.ts';
import type { Call, Route } from '../server/route.ts';

/** The book of a market, with the offers of its pool or without. */
export async function answerDepth(
  { relayer, query }: Call<'getDepth'> | Call<'getMixDepth'>,
  withPools: boolean,
): Promise<EndpointAnswer<'getDepth'>> {
  const selection = findSelection(relayer, query.market, withPools);
  if (!selection) throw new Refusal('MARKET_DATA_UNSUPPORTED', `market: there is no market ${query.market}`);
  const level = query.level ?? 0;
  checkLevel(level);
  const depth = await readDepth(relayer.histories, selection, withPools, {
    level,
    limit: Math.min(query.limit ?? MAX_PUSHED_SLOTS, MAX_PUSHED_SLOTS),
    showOverlap: 'showOverlap' in query && query.showOverlap === true,
  });
  return {
    version: depth.version,
    timestamp: depth.changedAt,
    market: selection.name,
    bids: depth.bids.map((slot) => describeSlot(depth.precision, slot)),
    asks: depth.asks.map((slot) => describeSlot(depth.precision, slot)),
  };
}

export const getDepth: Route<'getDepth'> = { handle: (call) => answerDepth(call, false) };
