import { acceptTransfer } from '../engine/accept/acceptTransfer.ts';
import type { Route } from '../server/route.ts';
import { bodyFields } from './bodyFields.ts';

export const submitTransfer: Route<'submitTransfer'> = {
  accountId: (_query, body) => body.payerId,
  invalid: bodyFields,
  handle: async ({ relayer, body, account, headerSignature }) => ({
    ...(await acceptTransfer(relayer, account, body, headerSignature)),
    accountId: body.payerId,
    tokenId: body.token.tokenId,
    storageId: body.storageId,
  }),
};
