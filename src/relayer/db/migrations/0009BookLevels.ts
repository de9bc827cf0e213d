/**
 * Order books by price, for everybody to read. `book_levels` has a row for each price at which
 * orders rest, counted in the finest steps of the market. The engine alone writes both tables, in
 * the transaction of what changes them. `closed_orders` are those that another transaction closed
 * and the engine has not taken out of its book yet. Books are made at the first start of the
 * engine.
 */
export const bookLevels = `
CREATE TABLE books (
  market text PRIMARY KEY,
  precision_for_price integer NOT NULL,
  version bigint NOT NULL,
  changed_at bigint NOT NULL,
  mix_version bigint NOT NULL,
  mix_changed_at bigint NOT NULL,
  pool_base numeric(40,0),
  pool_quote numeric(40,0)
);

CREATE TABLE book_levels (
  market text NOT NULL,
  side text NOT NULL,
  tick numeric NOT NULL,
  size numeric(60,0) NOT NULL,
  volume numeric(60,0) NOT NULL,
  orders bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (market, side, tick)
);
CREATE INDEX book_levels_version ON book_levels (market, version);

CREATE TABLE closed_orders (
  hash text PRIMARY KEY,
  in_book boolean NOT NULL
);
`;
