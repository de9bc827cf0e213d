import { acceptWithdrawal } from '../engine/accept/acceptWithdrawal.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const submitWithdrawal: Route<'submitWithdrawal'> = {
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    accountId: 'ACCOUNT_ID_INVALID',
    owner: 'SENDER_INVALID',
    to: 'RECEIVER_INVALID',
    'token.tokenId': 'TOKEN_UNSUPPORTED',
    'maxFee.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    storageId: 'STORAGE_ID_INVALID',
    eddsaSignature: 'SIGNATURE_WRONG',
    ecdsaSignature: 'SIGNATURE_WRONG',
  },
  handle: async (call) => {
    const { body } = call;
    const ack = await acceptWithdrawal(call.relayer, keyAccount(call), body, call.headerSignature);
    return {
      hash: ack.hash,
      status: ack.status,
      isIdempotent: ack.isIdempotent,
      accountId: body.accountId,
      tokenId: body.token.tokenId,
      storageId: body.storageId,
    };
  },
};
