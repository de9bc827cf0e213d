import { z } from 'zod';
import { devRoute } from './devRoute.ts';

/**
 * Settles and matches everything that waits and seals a block now; what comes meanwhile may be left
 * for later. The answer names the newest sealed block.
 */
export const blocks = devRoute({
  body: z.strictObject({}),
  handle: async (relayer, engine) => {
    await engine.run({ seal: true });
    const [newest] = await relayer.db.query<{ block_id: number; status: string }>(
      `SELECT block_id, status FROM blocks WHERE status <> 'open' ORDER BY block_id DESC LIMIT 1`,
    );
    return { blockId: newest?.block_id ?? 0, status: newest?.status ?? 'finalized' };
  },
});
