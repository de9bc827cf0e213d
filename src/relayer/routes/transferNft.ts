import { acceptNftTransfer } from '../engine/accept/acceptNftTransfer.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const transferNft: Route<'transferNft'> = {
  accountId: (_query, body) => body.fromAccountId,
  invalid: {
    exchange: 'EXCHANGE_ID_INCORRECT',
    fromAccountId: 'ACCOUNT_ID_INVALID',
    fromAddress: 'SENDER_INVALID',
    toAccountId: 'RECEIVER_INVALID',
    toAddress: 'RECEIVER_INVALID',
    'token.tokenId': 'TOKEN_UNSUPPORTED',
    'maxFee.tokenId': 'FEE_TOKEN_UNSUPPORTED',
    storageId: 'STORAGE_ID_INVALID',
    eddsaSignature: 'SIGNATURE_WRONG',
    ecdsaSignature: 'SIGNATURE_WRONG',
  },
  handle: async (call) => {
    const { body } = call;
    const { hash, status, isIdempotent } = await acceptNftTransfer(
      call.relayer,
      keyAccount(call),
      body,
      call.headerSignature,
    );
    const answer = { hash, status, isIdempotent };
    return {
      ...answer,
      accountId: body.fromAccountId,
      tokenId: body.token.tokenId,
      storageId: body.storageId,
      raw_data: answer,
    };
  },
};
