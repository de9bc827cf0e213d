import { z } from 'zod';
import { changeCatalog } from '../../engine/catalogVersion.ts';
import { lockEngine } from '../../engine/engineLock.ts';
import { operatorAction } from '../operatorAction.ts';
import { marketName, reason } from '../operatorFields.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';

/**
 * Stops the trading of a market. Nothing is matched from the answer on; new orders are refused
 * within two seconds, those that were accepted until then wait. Open orders stay, and can be
 * cancelled.
 */
export const haltMarket = operatorAction({
  summary: 'stop the trading of a market; open orders stay and can be cancelled',
  body: z.strictObject({ market: marketName, reason }),
  subject: ({ market }) => `market ${market}`,
  perform: async (_relayer, tx, { market }) => {
    // A step of the engine that is in progress ends first.
    await lockEngine(tx);
    const [row] = await tx.query<{ enabled: boolean }>('SELECT enabled FROM markets WHERE market = $1 FOR UPDATE', [
      market,
    ]);
    if (!row) throw new OperatorRefusal('unknown', `market: there is no market ${market}`);
    if (!row.enabled) return { repeated: true };
    await tx.query('UPDATE markets SET enabled = false WHERE market = $1', [market]);
    await changeCatalog(tx);
    return { repeated: false };
  },
});
