import { acceptWithdrawal } from '../engine/accept/acceptWithdrawal.ts';
import { keyAccount, type Route } from '../server/route.ts';
import { withdrawalFields } from './movingFields.ts';

export const submitWithdrawal: Route<'submitWithdrawal'> = {
  invalid: withdrawalFields,
  handle: async (call) => ({
    ...(await acceptWithdrawal(call.relayer, keyAccount(call), call.body, call.headerSignature)),
    accountId: call.body.accountId,
    tokenId: call.body.token.tokenId,
    storageId: call.body.storageId,
  }),
};
