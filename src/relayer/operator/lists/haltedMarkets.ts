import type { OperatorList } from '../operatorList.ts';

/** Markets that are not traded, those that left the market file too. */
export const haltedMarkets: OperatorList = {
  summary: 'markets that are not traded; listed: whether the market file has them',
  rows: async ({ db, config }, { after, limit }) => {
    const rows = await db.query<{ number: number; market: string }>(
      `SELECT * FROM (SELECT row_number() OVER (ORDER BY market) AS number, market FROM markets WHERE NOT enabled) AS halted
       WHERE number > $1 ORDER BY number LIMIT $2`,
      [after, limit],
    );
    const listed = new Set(config.market.markets.map(({ base, quote }) => `${base}-${quote}`));
    return rows.map((row) => ({ ...row, listed: listed.has(row.market) }));
  },
};
