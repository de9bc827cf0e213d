import { acceptAmmExit } from '../engine/accept/acceptAmmExit.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const exitAmmPool: Route<'exitAmmPool'> = {
  // The body names the owner only; the API key tells the account.
  accountId: () => undefined,
  invalid: bodyFields,
  handle: async ({ relayer, body, account }) => {
    const ack = await acceptAmmExit(relayer, account, body);
    return { ...ack, accountId: account.accountId, storageId: body.storageId };
  },
};
