/**
 * Orders that a pool may fill, best first, those of one price by age. Without the age each
 * comparison with a pool read all orders at the best price. The strongest lock is taken first: what
 * waits for it gives up before anything is built, and it cannot meet itself in a deadlock.
 */
export const poolOrders = `
DROP INDEX orders_pool;
CREATE INDEX orders_pool ON orders (pool_address, side, (CASE side WHEN 'SELL' THEN price ELSE -price END), seq)
  WHERE status = 'processing' AND resting AND order_type = 'LIMIT_ORDER' AND pool_address <> '';
`;
