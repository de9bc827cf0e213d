import { acceptNftTransfer } from '../engine/accept/acceptNftTransfer.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const transferNft: Route<'transferNft'> = {
  accountId: (_query, body) => body.fromAccountId,
  invalid: {
    exchange: 102001,
    fromAccountId: 102003,
    fromAddress: 102022,
    toAccountId: 102023,
    toAddress: 102023,
    'token.tokenId': 102002,
    'maxFee.tokenId': 102024,
    storageId: 102030,
    eddsaSignature: 104005,
    ecdsaSignature: 104005,
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
