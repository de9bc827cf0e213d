import { acceptTransfer } from '../engine/accept/acceptTransfer.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const submitTransfer: Route<'submitTransfer'> = {
  accountId: (_query, body) => body.payerId,
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    payerId: 'ACCOUNT_ID_INVALID',
    payerAddr: 'SENDER_INVALID',
    payeeId: 'RECEIVER_INVALID',
    payeeAddr: 'RECEIVER_INVALID',
    'token.tokenId': 'TOKEN_UNSUPPORTED',
    'maxFee.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    storageId: 'STORAGE_ID_INVALID',
    eddsaSignature: 'SIGNATURE_WRONG',
    ecdsaSignature: 'SIGNATURE_WRONG',
  },
  handle: async (call) => {
    const { body } = call;
    const ack = await acceptTransfer(call.relayer, keyAccount(call), body, call.headerSignature);
    return {
      hash: ack.hash,
      status: ack.status,
      isIdempotent: ack.isIdempotent,
      accountId: body.payerId,
      tokenId: body.token.tokenId,
      storageId: body.storageId,
    };
  },
};
