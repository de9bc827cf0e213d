import { acceptAmmJoin } from '../engine/accept/acceptAmmJoin.ts';
import { keyAccount, type Route } from '../server/route.ts';

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
  handle: async (call) => {
    const account = keyAccount(call);
    const ack = await acceptAmmJoin(call.relayer, account, call.body);
    return { ...ack, accountId: account.accountId, storageId: call.body.storageIds[0] ?? 0 };
  },
};
