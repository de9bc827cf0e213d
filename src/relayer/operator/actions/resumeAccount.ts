import { z } from 'zod';
import { operatorAction } from '../operatorAction.ts';
import { reason, userAccountId } from '../operatorFields.ts';
import { lockUserAccount } from '../userAccount.ts';

export const resumeAccount = operatorAction({
  summary: 'end the suspension of an account',
  body: z.strictObject({ accountId: userAccountId, reason }),
  subject: ({ accountId }) => `account ${accountId}`,
  perform: async (_relayer, tx, { accountId }) => {
    const account = await lockUserAccount(tx, accountId);
    if (!account.suspended) return { repeated: true };
    await tx.query('UPDATE accounts SET suspended = false WHERE account_id = $1', [accountId]);
    return { repeated: false };
  },
});
