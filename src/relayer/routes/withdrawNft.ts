import { acceptNftWithdrawal } from '../engine/accept/acceptNftWithdrawal.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const withdrawNft: Route<'withdrawNft'> = {
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
    const { hash, status, isIdempotent } = await acceptNftWithdrawal(
      call.relayer,
      keyAccount(call),
      body,
      call.headerSignature,
    );
    const answer = { hash, status, isIdempotent };
    return {
      ...answer,
      accountId: body.accountId,
      tokenId: body.token.tokenId,
      storageId: body.storageId,
      raw_data: answer,
    };
  },
};
