/**
 * Orders that a pool may fill, best first, those of one price by age. Without the age each
 * comparison with a pool read all orders at the best price.
 */
export const poolOrders = `
CREATE INDEX orders_pool_best ON orders (pool_address, side, (CASE side WHEN 'SELL' THEN price ELSE -price END), seq)
  WHERE status = 'processing' AND resting AND order_type = 'LIMIT_ORDER' AND pool_address <> '';
DROP INDEX orders_pool;
ALTER INDEX orders_pool_best RENAME TO orders_pool;
`;
