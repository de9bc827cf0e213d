import { candleIntervals } from '../../../src/protocol/candleIntervals.ts';
import { MAX_AMOUNT, ZERO_ADDRESS } from '../../../src/protocol/limits.ts';
import type { Db, Sql } from '../../../src/relayer/db/port.ts';
import { loadCatalog } from '../../../src/relayer/engine/catalog.ts';
import type { OrderRow } from '../../../src/relayer/engine/orders/orderRow.ts';
import { auditBlocks } from './auditBlocks.ts';

/**
 * What must hold of a relayer's database at every moment between transactions. All of it is read at
 * one moment: the relayers may go on writing meanwhile.
 * @returns One sentence for each thing that does not hold.
 */
export const auditDatabase = (db: Db): Promise<string[]> =>
  db.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    // The work between two reads may take long.
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    return auditMoment(tx);
  }, 'maintenance');

async function auditMoment(db: Sql): Promise<string[]> {
  const problems: string[] = [];
  const none = async (what: string, sql: string) => {
    for (const row of await db.query(sql))
      problems.push(
        `${what}: ${JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))}`,
      );
  };
  await none(
    'a balance is negative or more is locked than is there',
    'SELECT * FROM balances WHERE total < 0 OR locked < 0 OR locked > total',
  );
  await none(
    'the ledger does not sum to zero for a token (account 0 is the outside, -1 the mints)',
    `SELECT coalesce(nft_data, token_id::text) AS token, sum(delta) AS total FROM ledger
     GROUP BY 1 HAVING sum(delta) <> 0`,
  );
  await none(
    'something but a deposit or withdrawal came from outside',
    `SELECT * FROM ledger WHERE account_id = 0 AND kind NOT IN ('deposit', 'nftDeposit', 'withdrawal', 'nftWithdrawal')`,
  );
  await none(
    'a balance is not the sum of its ledger entries',
    `SELECT b.account_id, b.token_id, b.total, coalesce(l.total, 0) AS ledger FROM balances b
     LEFT JOIN (SELECT account_id, token_id, sum(delta) AS total FROM ledger GROUP BY 1, 2) l USING (account_id, token_id)
     WHERE b.total <> coalesce(l.total, 0)`,
  );
  await none(
    'what is locked is not what open orders and waiting requests hold',
    `SELECT b.account_id, b.token_id, b.locked, coalesce(h.held, 0) AS held FROM balances b
     LEFT JOIN (
       SELECT account_id, token_id, sum(amount) AS held FROM (
         SELECT account_id, token_s AS token_id, locked AS amount FROM orders WHERE status = 'processing'
         UNION ALL
         SELECT account_id, (held->>'tokenId')::int, (held->>'amount')::numeric
         FROM requests, jsonb_array_elements(coalesce(details->'held', '[]'::jsonb)) AS held WHERE status = 'received'
       ) AS parts GROUP BY 1, 2) h USING (account_id, token_id)
     WHERE b.locked <> coalesce(h.held, 0)`,
  );
  await none(
    'a closed order still holds something',
    `SELECT hash FROM orders WHERE status <> 'processing' AND locked <> 0`,
  );
  await none(
    'a storage id was used by two payloads',
    `SELECT account_id, token_id, storage_id, count(DISTINCT ref) FROM (
       SELECT account_id, token_s AS token_id, storage_id, hash AS ref FROM orders
       UNION ALL
       SELECT account_id, storage_token_id, storage_id, hash FROM requests
       WHERE storage_id IS NOT NULL AND kind <> 'ammJoin') AS uses
     GROUP BY 1, 2, 3 HAVING count(DISTINCT ref) > 1`,
  );
  await none(
    // The price of an NFT is rounded to the digits of a block.
    'an order was filled beyond its amount or below its own ratio',
    `SELECT hash FROM orders WHERE filled_s > amount_s OR (fill_by_b AND filled_b > amount_b)
       OR filled_s * amount_b * 50000 > filled_b * amount_s * CASE WHEN nft_data = '' THEN 50000 ELSE 50001 END`,
  );
  await none(
    'an NFT order is filled with other amounts, or paid another fee, than its trades say',
    `SELECT hash FROM orders LEFT JOIN (
       SELECT hash AS traded, sum(sold) AS sold, sum(bought) AS bought, sum(paid) AS paid FROM (
         SELECT seller_hash AS hash, amount AS sold, volume AS bought, seller_fee AS paid FROM nft_trades
         UNION ALL SELECT buyer_hash, volume, amount, buyer_fee FROM nft_trades) AS sides GROUP BY 1) t ON traded = hash
     WHERE nft_data <> '' AND (filled_s, filled_b, fee) <> (coalesce(sold, 0), coalesce(bought, 0), coalesce(paid, 0))`,
  );
  await none(
    'a trade of NFTs moved other amounts than it says',
    `SELECT trade_hash FROM nft_trades WHERE amount <> coalesce((SELECT sum(delta) FROM ledger
         WHERE ref = trade_hash AND ledger.nft_data = nft_trades.nft_data AND account_id = buyer_id), 0)
       OR volume - seller_fee <> coalesce((SELECT sum(delta) FROM ledger
         WHERE ref = trade_hash AND ledger.nft_data IS NULL AND account_id = seller_id), 0)`,
  );
  await none(
    'LP tokens are not as many as were deposited once',
    `SELECT p.address, coalesce(sum(b.total), 0) AS held FROM amm_pools p
     LEFT JOIN balances b ON b.token_id = p.lp_token GROUP BY p.address
     HAVING coalesce(sum(b.total), 0) <> ${MAX_AMOUNT}`,
  );
  await none(
    'a block counts other transactions than it has',
    `SELECT block_id, size, (SELECT count(*) FROM block_transactions t WHERE t.block_id = b.block_id) AS real FROM blocks b
     WHERE size <> (SELECT count(*) FROM block_transactions t WHERE t.block_id = b.block_id)
       AND (archived_at IS NULL OR EXISTS (SELECT 1 FROM block_transactions t WHERE t.block_id = b.block_id))`,
  );
  await none(
    'what is on its way to L1 is not what withdrawals say',
    `SELECT b.account_id, b.token_id, b.pending_withdraw, coalesce(w.total, 0) AS in_progress FROM balances b
     LEFT JOIN (SELECT account_id, token_id, sum(amount) AS total FROM requests
       WHERE kind IN ('withdrawal', 'nftWithdrawal') AND status <> 'failed' AND tx_hash = '' AND payout_failure = ''
       GROUP BY 1, 2) w
     USING (account_id, token_id) WHERE b.pending_withdraw <> coalesce(w.total, 0)`,
  );
  await none(
    'what is on its way to L2 is not what deposits say',
    `SELECT b.account_id, b.token_id, b.pending_deposit, coalesce(d.total, 0) AS in_progress FROM balances b
     LEFT JOIN (SELECT account_id, token_id, sum(amount) AS total FROM requests
       WHERE kind IN ('deposit', 'nftDeposit') AND status = 'received' GROUP BY 1, 2) d
     USING (account_id, token_id) WHERE b.pending_deposit <> coalesce(d.total, 0)`,
  );
  await none(
    'a withdrawal that could not be paid was not given back exactly once',
    `SELECT hash FROM requests w WHERE payout_failure <> '' AND (tx_hash <> '' OR 1 <> (
       SELECT count(*) FROM requests d WHERE d.details->>'returns' = w.hash AND d.account_id = w.account_id
         AND d.token_id = w.token_id AND d.nft_data = w.nft_data AND d.amount = w.amount))`,
  );
  await none(
    'a deposit failed',
    `SELECT hash FROM requests WHERE kind IN ('deposit', 'nftDeposit') AND status = 'failed'`,
  );
  problems.push(...(await auditCandles(db)), ...(await auditBooks(db)), ...(await auditBlocks(db)));
  return problems;
}

/**
 * Candles are kept fill by fill; here they are made anew from all fills and the orders behind them,
 * but for those whose fills are archived.
 */
async function auditCandles(db: Sql): Promise<string[]> {
  const fills = await db.query<Fill>(
    'SELECT f.*, o.side AS side FROM fills f JOIN orders o ON o.hash = f.taker_hash ORDER BY f.id',
  );
  const rebuilt = new Map<string, Candle>();
  for (const fill of fills) {
    const sells = fill.side === 'SELL';
    const base = sells ? fill.taker_sold : fill.taker_bought;
    const quote = sells ? fill.taker_bought : fill.taker_sold;
    const price = (quote * 10n ** 36n) / base;
    for (const interval_ms of Object.values(candleIntervals)) {
      const open_at = fill.created_at - (fill.created_at % interval_ms);
      const pool = fill.pool_address !== null;
      const key = `${fill.market} ${interval_ms} ${open_at} ${pool}`;
      const before = rebuilt.get(key);
      rebuilt.set(key, {
        market: fill.market,
        interval_ms,
        open_at,
        pool,
        trades: (before?.trades ?? 0) + 1,
        open: before?.open ?? price,
        close: price,
        high: before && before.high > price ? before.high : price,
        low: before && before.low < price ? before.low : price,
        base_volume: (before?.base_volume ?? 0n) + base,
        quote_volume: (before?.quote_volume ?? 0n) + quote,
        base_fee: (before?.base_fee ?? 0n) + (sells ? 0n : fill.taker_fee),
        quote_fee: (before?.quote_fee ?? 0n) + (sells ? fill.taker_fee : 0n),
        first_fill: before?.first_fill ?? fill.id,
        last_fill: fill.id,
      });
    }
  }
  const text = (row: object) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  const [archived] = await db.query<{ last: number | null }>('SELECT max(last_fill) AS last FROM archive_runs');
  const candles = await db.query<Candle>('SELECT * FROM candles');
  const place = ({ market, interval_ms, open_at, pool }: Candle) => `${market} ${interval_ms} ${open_at} ${pool}`;
  const gone = new Set(candles.filter(({ first_fill }) => first_fill <= (archived?.last ?? 0)).map(place));
  const whole = (list: Iterable<Candle>) => [...list].filter((candle) => !gone.has(place(candle))).map(text);
  const expected = new Set(whole(rebuilt.values()));
  const kept = new Set(whole(candles));
  return [
    ...[...kept].filter((row) => !expected.has(row)).map((row) => `a candle does not follow from the fills: ${row}`),
    ...[...expected].filter((row) => !kept.has(row)).map((row) => `a candle is missing: ${row}`),
  ];
}

interface Fill {
  readonly id: number;
  readonly market: string;
  readonly side: string;
  readonly pool_address: string | null;
  readonly taker_sold: bigint;
  readonly taker_bought: bigint;
  readonly taker_fee: bigint;
  readonly created_at: number;
}

type Candle = Record<'interval_ms' | 'open_at' | 'trades' | 'first_fill' | 'last_fill', number> &
  Record<'open' | 'close' | 'high' | 'low' | 'base_volume' | 'quote_volume' | 'base_fee' | 'quote_fee', bigint> & {
    readonly market: string;
    readonly pool: boolean;
  };

/**
 * Levels are kept order by order; here they are added up from all open orders, less those that wait
 * to be taken out.
 */
async function auditBooks(db: Sql): Promise<string[]> {
  const catalog = await loadCatalog(db);
  const orders = await db.query<OrderRow>(
    `SELECT * FROM orders WHERE resting AND nft_data = '' AND taker = '${ZERO_ADDRESS}' AND channel <> 'AMM_POOL'
       AND (status = 'processing' OR hash IN (SELECT hash FROM closed_orders WHERE in_book))`,
  );
  const levels = new Map<string, { size: bigint; volume: bigint; orders: number }>();
  for (const order of orders) {
    const market = catalog.market(order.market);
    if (!market) return [`order ${order.hash} is of no market`];
    const sells = order.side === 'SELL';
    const [base, quote] = sells ? [order.amount_s, order.amount_b] : [order.amount_b, order.amount_s];
    const exponent = market.base.decimals + market.precisionForPrice - market.quote.decimals;
    const steps = exponent >= 0 ? 10n ** BigInt(exponent) : 1n;
    const unit = exponent >= 0 ? 1n : 10n ** BigInt(-exponent);
    const down = (quote * steps) / (base * unit);
    const tick = sells && down * base * unit < quote * steps ? down + 1n : down;
    const unsold = order.amount_s - order.filled_s;
    const unbought = order.amount_b - order.filled_b;
    const affordable = (unbought * order.amount_s) / order.amount_b;
    const sold = order.fill_by_b && affordable < unsold ? affordable : unsold;
    const bought = order.fill_by_b ? unbought : (unsold * order.amount_b) / order.amount_s;
    for (const [digits, step] of [
      [0, 1n],
      [2, 100n],
      [4, 10_000n],
    ] as const) {
      // Below the finest step there is no bid to show.
      if (digits > 0 && tick === 0n) continue;
      const below = tick - (tick % step);
      const key = `${order.market} ${order.side} ${digits} ${sells && below < tick ? below + step : below}`;
      const level = levels.get(key) ?? { size: 0n, volume: 0n, orders: 0 };
      level.size += sells ? sold : bought;
      level.volume += sells ? bought : sold;
      level.orders += 1;
      levels.set(key, level);
    }
  }
  const expected = new Set([...levels].map(([key, { size, volume, orders: n }]) => `${key}: ${size} ${volume} ${n}`));
  const rows = await db.query<{
    market: string;
    side: string;
    level: number;
    tick: bigint;
    size: bigint;
    volume: bigint;
    orders: number;
  }>(
    `SELECT * FROM (SELECT market, side, 0 AS level, tick, size, volume, orders FROM book_levels
       UNION ALL SELECT market, side, level, tick, size, volume, orders FROM coarse_levels) AS kept
     WHERE size <> 0 OR volume <> 0 OR orders <> 0`,
  );
  const kept = new Set(
    rows.map((row) => `${row.market} ${row.side} ${row.level} ${row.tick}: ${row.size} ${row.volume} ${row.orders}`),
  );
  return [
    ...[...kept].filter((row) => !expected.has(row)).map((row) => `a level does not follow from the orders: ${row}`),
    ...[...expected].filter((row) => !kept.has(row)).map((row) => `a level is missing: ${row}`),
  ];
}
