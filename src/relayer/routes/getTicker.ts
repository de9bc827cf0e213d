import type { EndpointAnswer } from '../../protocol/endpointTable.ts';
import { splitList } from '../../protocol/fields.ts';
import { needSelection } from '../engine/marketData/selection.ts';
import { describeTicker } from '../engine/marketData/ticker.ts';
import { Refusal } from '../errors.ts';
import type { Call, Route } from '../server/route.ts';

/** Markets in one approval request. */
const MAX_MARKETS = 50;

/** Tickers of markets, with the trades of their pools or without. */
export async function answerTickers(
  { relayer, query }: Call<'getTicker'> | Call<'getMixTicker'>,
  withPools: boolean,
): Promise<EndpointAnswer<'getTicker'>> {
  const names = splitList(query.market);
  if (names.length > MAX_MARKETS)
    throw new Refusal('INVALID_ARGUMENT', `market: names more than ${MAX_MARKETS} markets`);
  const selections = names.map((name) => needSelection(relayer, name, withPools));
  return { tickers: await Promise.all(selections.map((selection) => describeTicker(relayer, selection, withPools))) };
}

export const getTicker: Route<'getTicker'> = { handle: (call) => answerTickers(call, false) };
