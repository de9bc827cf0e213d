import { acceptAmmJoin } from '../engine/accept/acceptAmmJoin.ts';
import type { Route } from '../server/route.ts';

export const joinAmmPool: Route<'joinAmmPool'> = {
  // The body names the owner only; the API key tells the account.
  accountId: () => undefined,
  invalid: {
    owner: 'SENDER_INVALID',
    poolAddress: 'EXCHANGE_ID_INCORRECT',
    storageIds: 'STORAGE_ID_INVALID',
    domainSeparator: 'EXCHANGE_ID_INCORRECT',
    eddsaSignature: 'SIGNATURE_WRONG',
    ecdsaSignature: 'SIGNATURE_WRONG',
  },
  handle: async ({ relayer, body, account }) => {
    const ack = await acceptAmmJoin(relayer, account, body);
    return { ...ack, accountId: account.accountId, storageId: body.storageIds[0] ?? 0 };
  },
};
