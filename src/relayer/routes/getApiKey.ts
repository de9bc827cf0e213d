import { lockAccount } from '../engine/accounts.ts';
import { currentApiKey } from '../engine/apiKeys.ts';
import { Refusal } from '../errors.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getApiKey: Route<'getApiKey'> = {
  handle: async (call) => {
    const { relayer } = call;
    const checked = keyAccount(call);
    const apiKey = await relayer.db.transaction(async (tx) => {
      const account = await lockAccount(tx, checked.accountId);
      if (account?.keyNonce !== checked.keyNonce)
        throw new Refusal('SIGNATURE_WRONG', 'the account just got another key');
      return currentApiKey(tx, relayer.apiKeySecret, account, relayer.clock.now());
    });
    return { apiKey };
  },
};
