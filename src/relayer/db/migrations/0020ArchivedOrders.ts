/**
 * Ends of archived orders that traded or whose deadline came later. A wallet that comes back after
 * a long time would be told that there was no such order: after the deadline it takes that for an
 * order that nothing came of, and before it goes on waiting. A hash index has a third of the size
 * of a primary key of such texts. Accounts are not referred to, because that locks their rows,
 * which the engine locks in another order.
 */
export const archivedOrders = `
CREATE TABLE archived_orders (
  hash text NOT NULL,
  account_id bigint NOT NULL,
  storage_id bigint NOT NULL,
  valid_until bigint NOT NULL,
  created_at bigint NOT NULL,
  token_s integer NOT NULL,
  token_b integer NOT NULL,
  amount_s numeric(40,0) NOT NULL,
  amount_b numeric(40,0) NOT NULL,
  filled_s numeric(40,0) NOT NULL,
  filled_b numeric(40,0) NOT NULL,
  fee numeric(40,0) NOT NULL,
  market text NOT NULL,
  side text NOT NULL,
  order_type text NOT NULL,
  channel text NOT NULL,
  status text NOT NULL,
  client_order_id text NOT NULL,
  nft_data text NOT NULL
);
CREATE INDEX archived_orders_hash ON archived_orders USING hash (hash);
`;
