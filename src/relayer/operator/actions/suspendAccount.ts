import { z } from 'zod';
import { cancelAllOrders } from '../../engine/orders/orderRow.ts';
import { operatorAction } from '../operatorAction.ts';
import { reason, userAccountId } from '../operatorFields.ts';
import { lockUserAccount } from '../userAccount.ts';

/**
 * Accepts nothing of an account any more, and cancels its open orders. It can still be read,
 * cancel, and be paid; what was accepted before is still settled and paid out.
 */
export const suspendAccount = operatorAction({
  summary: 'accept nothing of an account any more, and cancel its open orders',
  body: z.strictObject({ accountId: userAccountId, reason }),
  subject: ({ accountId }) => `account ${accountId}`,
  perform: async (relayer, tx, { accountId }) => {
    const account = await lockUserAccount(tx, accountId);
    if (account.suspended) return { repeated: true };
    await tx.query('UPDATE accounts SET suspended = true WHERE account_id = $1', [accountId]);
    await cancelAllOrders(tx, accountId, relayer.clock.now());
    return { repeated: false };
  },
});
