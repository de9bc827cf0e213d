import { acceptNftWithdrawal } from '../engine/accept/acceptNftWithdrawal.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const withdrawNft: Route<'withdrawNft'> = {
  invalid: {
    exchange: 102001,
    accountId: 102003,
    owner: 102022,
    to: 102023,
    'token.tokenId': 102002,
    'maxFee.tokenId': 102024,
    storageId: 102030,
    eddsaSignature: 104005,
    ecdsaSignature: 104005,
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
