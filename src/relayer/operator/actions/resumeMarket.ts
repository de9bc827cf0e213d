import { z } from 'zod';
import { changeCatalog } from '../../engine/catalogVersion.ts';
import { operatorAction } from '../operatorAction.ts';
import { marketName, reason } from '../operatorFields.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';

export const resumeMarket = operatorAction({
  summary: 'trade a halted market again, with the orders that are still open',
  body: z.strictObject({ market: marketName, reason }),
  subject: ({ market }) => `market ${market}`,
  perform: async ({ config }, tx, { market }) => {
    const [row] = await tx.query<{ enabled: boolean }>('SELECT enabled FROM markets WHERE market = $1 FOR UPDATE', [
      market,
    ]);
    if (!row) throw new OperatorRefusal('unknown', `market: there is no market ${market}`);
    if (row.enabled) return { repeated: true };
    // No process would start on a database that trades what its file does not list.
    if (!config.market.markets.some(({ base, quote }) => `${base}-${quote}` === market))
      throw new OperatorRefusal('contradiction', `market ${market} is not in the market file; add it there first`);
    await tx.query('UPDATE markets SET enabled = true WHERE market = $1', [market]);
    await changeCatalog(tx);
    return { repeated: false };
  },
});
