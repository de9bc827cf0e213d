/**
 * Books are kept in steps of 100 and 10,000 ticks too, so that no price level reads more than ten
 * rows for each that it answers. They have a table of their own, because processes of an earlier
 * version that still run read all of `book_levels`. Nothing reads the version of a row, and its
 * index made each change of a row write the index too.
 */
export const coarseLevels = `
DROP INDEX book_levels_version;
ALTER TABLE book_levels DROP COLUMN version;
CREATE TABLE coarse_levels (
  market text NOT NULL,
  side text NOT NULL,
  level smallint NOT NULL,
  tick numeric NOT NULL,
  size numeric(60,0) NOT NULL,
  volume numeric(60,0) NOT NULL,
  orders bigint NOT NULL,
  PRIMARY KEY (market, side, level, tick)
);
INSERT INTO coarse_levels (market, side, level, tick, size, volume, orders)
SELECT market, side, kept.level,
  CASE side WHEN 'SELL' THEN div(tick + step - 1, step) ELSE div(tick, step) END * step,
  sum(size), sum(volume), sum(orders)
FROM book_levels, (VALUES (2, 100::numeric), (4, 10000)) AS kept (level, step)
WHERE side = 'SELL' OR tick > 0 GROUP BY 1, 2, 3, 4;
`;
