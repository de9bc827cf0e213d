import { acceptNftMint } from '../engine/accept/acceptNftMint.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const mintNft: Route<'mintNft'> = {
  accountId: (_query, body) => body.minterId,
  invalid: {
    exchange: 102001,
    minterId: 102003,
    minterAddress: 102022,
    toAccountId: 102023,
    toAddress: 102023,
    'maxFee.tokenId': 102024,
    storageId: 102030,
    eddsaSignature: 104005,
  },
  handle: async (call) => {
    const { hash, status, isIdempotent, nftData, nftTokenId } = await acceptNftMint(
      call.relayer,
      keyAccount(call),
      call.body,
    );
    const answer = { hash, nftTokenId, nftData, status, isIdempotent };
    return {
      ...answer,
      accountId: call.body.minterId,
      storageId: call.body.storageId,
      // The document's form, beside the flat one of running relayers.
      raw_data: answer,
    };
  },
};
