import { lockAccount } from '../engine/accounts.ts';
import { currentApiKey } from '../engine/apiKeys.ts';
import { Refusal } from '../errors.ts';
import type { Call, Route } from '../server/route.ts';

/** Answers with the key that `keyOf` finds or makes for the account of the call. */
export const answerApiKey =
  (keyOf: typeof currentApiKey) =>
  async ({ relayer, account: checked }: Call<'getApiKey'> | Call<'resetApiKey'>): Promise<{ apiKey: string }> => {
    const apiKey = await relayer.db.transaction(async (tx) => {
      const account = await lockAccount(tx, checked.accountId);
      if (account?.keyNonce !== checked.keyNonce)
        throw new Refusal('SIGNATURE_WRONG', 'the account just got another key');
      return keyOf(tx, relayer.apiKeySecret, account, relayer.clock.now());
    });
    return { apiKey };
  };

export const getApiKey: Route<'getApiKey'> = { handle: answerApiKey(currentApiKey) };
