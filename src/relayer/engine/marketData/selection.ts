import { Refusal } from '../../errors.ts';
import type { Market } from '../catalog.ts';
import type { Relayer } from '../relayer.ts';

/** A market as a query of market data names it. */
export interface Selection {
  /** As the answer names it: `LRC-ETH`, or `AMM-LRC-ETH` for the pool alone. */
  readonly name: string;
  readonly market: Market;
  readonly book: boolean;
  readonly pool: boolean;
}

/**
 * Finds the market of a query by its name in any case.
 * @param withPools - whether the endpoint covers pools: then a plain name means book and pool, and
 *   `AMM-…` the pool alone.
 */
export function findSelection({ catalog }: Relayer, text: string, withPools: boolean): Selection | undefined {
  const wanted = text.toUpperCase().replace(/^COMBINE-/, '');
  const alone = withPools && wanted.startsWith('AMM-');
  const plain = alone ? wanted.slice('AMM-'.length) : wanted;
  const market = catalog.markets.find((candidate) => candidate.market.toUpperCase() === plain);
  if (!market) return undefined;
  const pool = withPools && catalog.poolOf(market.base.tokenId, market.quote.tokenId) !== undefined;
  if (alone && !pool) return undefined;
  return { name: alone ? `AMM-${market.market}` : market.market, market, book: !alone, pool };
}

/** @throws {Refusal} INVALID_ARGUMENT when there is no such market. */
export function needSelection(relayer: Relayer, text: string, withPools: boolean): Selection {
  const found = findSelection(relayer, text, withPools);
  if (!found) throw new Refusal('INVALID_ARGUMENT', `market: there is no market ${text}`);
  return found;
}

/** The sources of a selection as `candles.pool` tells them. */
export const sourcesOf = ({ book, pool }: Selection): boolean[] => [...(book ? [false] : []), ...(pool ? [true] : [])];
