/**
 * Indexes of the books leave out what only a pool or a named taker may fill, which is found by the
 * taker; and the open orders of an account stand by market, side and taker, best first. Reads go on
 * while the new ones are built; the old ones go last.
 */
export const namedOrders = `
CREATE INDEX orders_public_asks ON orders (market, price, seq)
  WHERE status = 'processing' AND resting AND side = 'SELL' AND channel <> 'AMM_POOL'
    AND taker = '0x0000000000000000000000000000000000000000';
CREATE INDEX orders_public_bids ON orders (market, price DESC, seq)
  WHERE status = 'processing' AND resting AND side = 'BUY' AND channel <> 'AMM_POOL'
    AND taker = '0x0000000000000000000000000000000000000000';
CREATE INDEX orders_named ON orders (taker, market, side, (CASE side WHEN 'SELL' THEN price ELSE -price END), seq)
  WHERE status = 'processing' AND resting AND taker <> '0x0000000000000000000000000000000000000000';
CREATE INDEX orders_account_best
  ON orders (account_id, market, side, taker, (CASE side WHEN 'SELL' THEN price ELSE -price END), seq)
  WHERE status = 'processing';
DROP INDEX orders_asks;
DROP INDEX orders_bids;
DROP INDEX orders_account_open;
ALTER INDEX orders_public_asks RENAME TO orders_asks;
ALTER INDEX orders_public_bids RENAME TO orders_bids;
ALTER INDEX orders_account_best RENAME TO orders_account_open;
`;
