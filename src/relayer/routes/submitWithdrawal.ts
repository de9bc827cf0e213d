import { acceptWithdrawal } from '../engine/accept/acceptWithdrawal.ts';
import type { Route } from '../server/route.ts';
import { withdrawalFields } from './movingFields.ts';

export const submitWithdrawal: Route<'submitWithdrawal'> = {
  invalid: withdrawalFields,
  handle: async ({ relayer, body, account, headerSignature }) => ({
    ...(await acceptWithdrawal(relayer, account, body, headerSignature)),
    accountId: body.accountId,
    tokenId: body.token.tokenId,
    storageId: body.storageId,
  }),
};
