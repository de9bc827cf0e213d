/**
 * Indexes of the books. The first text of `0001Initial` had one index for both sides and none for
 * the orders that a pool may fill; databases that began with it get the three here, all others have
 * them.
 */
export const bookIndexes = `
DROP INDEX IF EXISTS orders_book;
CREATE INDEX IF NOT EXISTS orders_asks ON orders (market, price, seq)
  WHERE status = 'processing' AND resting AND side = 'SELL';
CREATE INDEX IF NOT EXISTS orders_bids ON orders (market, price DESC, seq)
  WHERE status = 'processing' AND resting AND side = 'BUY';
CREATE INDEX IF NOT EXISTS orders_pool ON orders (pool_address, side, price)
  WHERE status = 'processing' AND resting AND order_type = 'LIMIT_ORDER' AND pool_address <> '';
`;
