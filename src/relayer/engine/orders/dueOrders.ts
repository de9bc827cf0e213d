/**
 * True for rows of `orders` whose market is not halted. Asked of the table in each step of the
 * engine, so that a halt holds from its commit on, whatever a process remembers of its markets.
 */
const IN_OPEN_MARKET = 'market IN (SELECT market FROM markets WHERE enabled)';

/** New orders, which were not compared with the book yet. */
export const UNMATCHED = `status = 'processing' AND NOT resting AND ${IN_OPEN_MARKET}`;

/** Orders in the book that a pool fills as soon as it has moved far enough. */
export const REACHABLE_BY_POOL = `pool_address <> '' AND status = 'processing' AND resting AND order_type = 'LIMIT_ORDER'
  AND ${IN_OPEN_MARKET}`;

/** @param seconds - SQL of the time in seconds. */
export const expiredBy = (seconds: string) => `status = 'processing' AND valid_until <= ${seconds}`;
