import { acceptTransfer } from '../engine/accept/acceptTransfer.ts';
import { keyAccount, type Route } from '../server/route.ts';
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
  handle: async (call) => ({
    ...(await acceptTransfer(call.relayer, keyAccount(call), call.body, call.headerSignature)),
    accountId: call.body.payerId,
    tokenId: call.body.token.tokenId,
    storageId: call.body.storageId,
  }),
};
