/**
 * Books are kept in steps of 1, 100 and 10,000 ticks, so that no price level reads more than ten
 * rows for each that it answers. Nothing read the version of a row, and its index made each change
 * of a row write the index too.
 */
export const coarseLevels = `
DROP INDEX book_levels_version;
ALTER TABLE book_levels DROP COLUMN version;
ALTER TABLE book_levels ADD COLUMN level smallint NOT NULL DEFAULT 0;
ALTER TABLE book_levels ALTER COLUMN level DROP DEFAULT;
ALTER TABLE book_levels DROP CONSTRAINT book_levels_pkey;
ALTER TABLE book_levels ADD PRIMARY KEY (market, side, level, tick);
INSERT INTO book_levels (market, side, level, tick, size, volume, orders)
SELECT market, side, kept.level,
  CASE side WHEN 'SELL' THEN div(tick + step - 1, step) ELSE div(tick, step) END * step,
  sum(size), sum(volume), sum(orders)
FROM book_levels, (VALUES (2, 100::numeric), (4, 10000)) AS kept (level, step)
WHERE side = 'SELL' OR tick > 0 GROUP BY 1, 2, 3, 4;
`;
