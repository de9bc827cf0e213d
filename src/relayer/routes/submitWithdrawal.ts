import { acceptWithdrawal } from '../engine/accept/acceptWithdrawal.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const submitWithdrawal: Route<'submitWithdrawal'> = {
  invalid: bodyFields,
  handle: async ({ relayer, body, account, headerSignature }) => ({
    ...(await acceptWithdrawal(relayer, account, body, headerSignature)),
    accountId: body.accountId,
    tokenId: body.token.tokenId,
    storageId: body.storageId,
  }),
};
