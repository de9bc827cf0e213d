import type { Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { inSteps, keptLevel } from '../orders/bookLevels.ts';
import { poolLadder } from './poolLadder.ts';
import type { Selection } from './selection.ts';
import { mergeSlots, type Slot } from './slots.ts';

/** Levels of price aggregation: each is ten times as coarse as the one before. */
export const DEPTH_LEVELS = 5;

export interface Depth {
  readonly version: number;
  /** ms of the last change */
  readonly changedAt: number;
  /** Digits of a price in the finest steps. */
  readonly precision: number;
  /** Both best first. */
  readonly bids: readonly Slot[];
  readonly asks: readonly Slot[];
}

export interface DepthOptions {
  readonly level: number;
  /** Slots on each side. */
  readonly limit: number;
  /** Whether slots of the pool that cross the book are shown. */
  readonly showOverlap: boolean;
}

/** @throws {Refusal} DEPTH_LEVEL_UNSUPPORTED */
export function checkLevel(level: number): void {
  if (level >= DEPTH_LEVELS) throw new Refusal('DEPTH_LEVEL_UNSUPPORTED', `level: the coarsest is ${DEPTH_LEVELS - 1}`);
}

/**
 * The book of a selection, with the ladder of its open pool when it is `mixed`. Version, levels,
 * and the pool with its fee and amounts are of one moment, because one statement reads them: the
 * catalog of a process may be a second behind the version.
 */
export async function readDepth(
  sql: Sql,
  { market, book }: Selection,
  mixed: boolean,
  { level, limit, showOverlap }: DepthOptions,
): Promise<Depth> {
  const step = 10n ** BigInt(level);
  const kept = keptLevel(level);
  // Each slot is made of so many rows at most, so the best of them hold the best slots whole.
  const rowsOfSlot = 10 ** (level - kept);
  // A bid below the first step of its market would have the price 0.
  const side = (name: 'BUY' | 'SELL', slot: string, direction: 'ASC' | 'DESC') =>
    `(SELECT '${name}' AS side, ${slot} AS slot, sum(size) AS size, sum(volume) AS volume, sum(orders)::bigint AS orders
      FROM (SELECT * FROM ${kept === 0 ? 'book_levels' : 'coarse_levels'} WHERE market = $1 AND side = '${name}'
          AND ${kept === 0 ? 'tick > 0' : `level = ${kept}`} AND size > 0 AND $2
        ORDER BY tick ${direction} LIMIT $3 * ${rowsOfSlot}) AS best
      GROUP BY slot ORDER BY slot ${direction} LIMIT $3)`;
  const edge = (name: 'BUY' | 'SELL', best: 'max' | 'min') =>
    `(SELECT ${best}(tick) FROM book_levels WHERE market = $1 AND side = '${name}' AND size > 0 AND $2)`;
  const reserve = (token: string) =>
    `(SELECT total FROM balances WHERE account_id = (SELECT account_id FROM pool) AND token_id = ${token})`;
  const rows = await sql.query<{
    version: number;
    changed_at: number;
    mix_version: number;
    mix_changed_at: number;
    precision_for_price: number;
    fee_bips: number | null;
    base: bigint | null;
    quote: bigint | null;
    best_bid: bigint | null;
    best_ask: bigint | null;
    side: 'BUY' | 'SELL' | null;
    slot: bigint;
    size: bigint;
    volume: bigint;
    orders: number;
  }>(
    `WITH pool AS MATERIALIZED (
       SELECT account_id, fee_bips FROM amm_pools
       WHERE $4 AND enabled AND (token_0, token_1) IN (($5::int, $6::int), ($6::int, $5::int))
       ORDER BY account_id DESC LIMIT 1)
     SELECT version, changed_at, mix_version, mix_changed_at, precision_for_price, level.*,
       (SELECT fee_bips FROM pool) AS fee_bips, ${reserve('$5')} AS base, ${reserve('$6')} AS quote,
       ${edge('BUY', 'max')} AS best_bid, ${edge('SELL', 'min')} AS best_ask
     FROM books LEFT JOIN LATERAL (
       ${side('BUY', level === 0 ? 'tick' : `div(tick, ${step})`, 'DESC')} UNION ALL
       ${side('SELL', level === 0 ? 'tick' : `div(tick + ${step - 1n}, ${step})`, 'ASC')}) AS level ON true
     WHERE books.market = $1`,
    [market.market, book, limit, mixed, market.base.tokenId, market.quote.tokenId],
  );
  const [first] = rows;
  if (!first)
    return { version: 0, changedAt: market.createdAt, precision: market.precisionForPrice, bids: [], asks: [] };
  const precision = first.precision_for_price;
  const inBook = (name: 'BUY' | 'SELL') =>
    rows
      .filter((row) => row.side === name)
      .map(({ slot, size, volume, orders }): Slot => ({ tick: slot * step, size, volume, orders }));
  const ladder = (name: 'BUY' | 'SELL'): Slot[] => {
    if (first.fee_bips === null) return [];
    const opposite = showOverlap ? null : name === 'BUY' ? first.best_ask : first.best_bid;
    // Compared in the finest steps, so that every level shows the same offers.
    return poolLadder(market, first.fee_bips, precision, name, first.base ?? 0n, first.quote ?? 0n)
      .filter(({ tick }) => tick > 0n)
      .filter(({ tick }) => opposite === null || (name === 'BUY' ? tick < opposite : tick > opposite))
      .map((slot) => ({
        ...slot,
        tick: inSteps(name, slot.tick, step),
      }));
  };
  return {
    version: mixed ? first.mix_version : first.version,
    changedAt: mixed ? first.mix_changed_at : first.changed_at,
    precision,
    bids: mergeSlots(inBook('BUY'), ladder('BUY'), (a, b) => (a > b ? -1 : 1)).slice(0, limit),
    asks: mergeSlots(inBook('SELL'), ladder('SELL'), (a, b) => (a < b ? -1 : 1)).slice(0, limit),
  };
}
