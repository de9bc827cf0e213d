import { acceptAmmJoin } from '../engine/accept/acceptAmmJoin.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const joinAmmPool: Route<'joinAmmPool'> = {
  // The body names the owner only; the API key tells the account.
  accountId: () => undefined,
  invalid: bodyFields,
  handle: async ({ relayer, body, account }) => {
    const ack = await acceptAmmJoin(relayer, account, body);
    return { ...ack, accountId: account.accountId, storageId: body.storageIds[0] ?? 0 };
  },
};
