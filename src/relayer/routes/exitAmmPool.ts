import { acceptAmmExit } from '../engine/accept/acceptAmmExit.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const exitAmmPool: Route<'exitAmmPool'> = {
  // The body names the owner only; the API key tells the account.
  accountId: () => undefined,
  invalid: {
    owner: 102022,
    poolAddress: 102001,
    storageId: 102030,
    domainSeparator: 102001,
    eddsaSignature: 104005,
    ecdsaSignature: 104005,
  },
  handle: async (call) => {
    const account = keyAccount(call);
    const ack = await acceptAmmExit(call.relayer, account, call.body);
    return {
      hash: ack.hash,
      status: ack.status,
      isIdempotent: ack.isIdempotent,
      accountId: account.accountId,
      storageId: call.body.storageId,
    };
  },
};
