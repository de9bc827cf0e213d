import { acceptTransfer } from '../engine/accept/acceptTransfer.ts';
import type { Route } from '../server/route.ts';
import { movingFields } from './movingFields.ts';

export const submitTransfer: Route<'submitTransfer'> = {
  accountId: (_query, body) => body.payerId,
  invalid: {
    ...movingFields,
    payerId: 'ACCOUNT_ID_INVALID',
    payerAddr: 'SENDER_INVALID',
    payeeId: 'RECEIVER_INVALID',
    payeeAddr: 'RECEIVER_INVALID',
  },
  handle: async ({ relayer, body, account, headerSignature }) => ({
    ...(await acceptTransfer(relayer, account, body, headerSignature)),
    accountId: body.payerId,
    tokenId: body.token.tokenId,
    storageId: body.storageId,
  }),
};
