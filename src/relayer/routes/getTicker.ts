import type { EndpointAnswer } from '../../protocol/endpointTable.ts';
import { splitList } from '../../protocol/fields.ts';
import { needSelection } from '../engine/marketData/selection.ts';
import { describeTicker } from '../engine/marketData/ticker.ts';
import { Refusal } from '../errors.ts';
import type { Call, Route } from '../server/route.ts';

/** Markets in one request. */
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
  // A market that is named again costs nothing more.
  const distinct = new Map(selections.map((selection) => [selection.name, selection]));
  const rows = new Map(
    await Promise.all(
      Array.from(
        distinct,
        async ([name, selection]) => [name, await describeTicker(relayer, selection, withPools)] as const,
      ),
    ),
  );
  return { tickers: selections.map(({ name }) => rows.get(name) as string[]) };
}

export const getTicker: Route<'getTicker'> = { handle: (call) => answerTickers(call, false) };
