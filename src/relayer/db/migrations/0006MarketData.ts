/**
 * Public trades and candles. A fill keeps the side of its taker, so that public trades need no
 * orders. `candles` holds one row for each market, interval and source (book or pool) in which
 * something was traded; the transaction that writes a fill updates them, and old fills are added
 * here. Prices are quote for base in base units, scaled by 10^36.
 */
export const marketData = `
ALTER TABLE fills ADD COLUMN side text;
UPDATE fills SET side = orders.side FROM orders WHERE orders.hash = fills.taker_hash;
ALTER TABLE fills ALTER COLUMN side SET NOT NULL;
CREATE INDEX fills_of_book ON fills (market, id) WHERE pool_address IS NULL;
CREATE INDEX fills_of_pool ON fills (market, id) WHERE pool_address IS NOT NULL;

CREATE TABLE candles (
  market text NOT NULL,
  interval_ms bigint NOT NULL,
  open_at bigint NOT NULL,
  pool boolean NOT NULL,
  trades bigint NOT NULL,
  open numeric NOT NULL,
  close numeric NOT NULL,
  high numeric NOT NULL,
  low numeric NOT NULL,
  base_volume numeric(60,0) NOT NULL,
  quote_volume numeric(60,0) NOT NULL,
  base_fee numeric(60,0) NOT NULL,
  quote_fee numeric(60,0) NOT NULL,
  first_fill bigint NOT NULL,
  last_fill bigint NOT NULL,
  PRIMARY KEY (market, interval_ms, open_at, pool)
);

INSERT INTO candles
SELECT market, interval_ms, created_at - created_at % interval_ms, pool, count(*),
  (array_agg(price ORDER BY id))[1], (array_agg(price ORDER BY id DESC))[1], max(price), min(price),
  sum(base), sum(quote),
  coalesce(sum(taker_fee) FILTER (WHERE side = 'BUY'), 0), coalesce(sum(taker_fee) FILTER (WHERE side = 'SELL'), 0),
  min(id), max(id)
FROM (
  SELECT *, pool_address IS NOT NULL AS pool,
    CASE side WHEN 'SELL' THEN taker_sold ELSE taker_bought END AS base,
    CASE side WHEN 'SELL' THEN taker_bought ELSE taker_sold END AS quote,
    CASE side WHEN 'SELL' THEN div(taker_bought * 1000000000000000000000000000000000000, taker_sold)
      ELSE div(taker_sold * 1000000000000000000000000000000000000, taker_bought) END AS price
  FROM fills) AS trade
CROSS JOIN unnest('{60000,300000,900000,1800000,3600000,7200000,14400000,43200000,86400000,604800000}'::bigint[])
  AS every (interval_ms)
GROUP BY market, interval_ms, created_at - created_at % interval_ms, pool;
`;
