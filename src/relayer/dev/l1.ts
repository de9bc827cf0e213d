import { z } from 'zod';
import { address, bytesText, hash32 } from '../../protocol/fields.ts';
import { devRoute } from './devRoute.ts';

/**
 * Changes the built-in chain: deploys code, or approves a hash as
 * `approveTransaction(owner, digest)` would.
 */
export const l1 = devRoute({
  body: z.strictObject({
    code: z.strictObject({ address: address(), code: bytesText() }).optional(),
    approval: z.strictObject({ owner: address(), digest: hash32() }).optional(),
  }),
  handle: async (relayer, _engine, { code, approval }) => {
    if (code)
      await relayer.db.query(
        `INSERT INTO l1_code (address, code, visible_at) VALUES ($1, $2, 0)
         ON CONFLICT (address) DO UPDATE SET code = excluded.code, visible_at = 0`,
        [code.address.toLowerCase(), code.code.toLowerCase()],
      );
    if (approval)
      await relayer.db.query('INSERT INTO l1_approvals (owner, digest) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        approval.owner.toLowerCase(),
        approval.digest.toLowerCase(),
      ]);
    return {};
  },
});
