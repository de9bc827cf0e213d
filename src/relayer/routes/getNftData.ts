import { describeNft, findNftById } from '../engine/nft/nftRows.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getNftData: Route<'getNftData'> = {
  handle: async ({ relayer, query }) => {
    const nft = await findNftById(relayer.db, query.minter, query.tokenAddress, query.nftId);
    if (!nft) throw new Refusal('INVALID_ARGUMENT', 'no NFT with this minter, contract and id was minted or deposited');
    return describeNft(nft);
  },
};
