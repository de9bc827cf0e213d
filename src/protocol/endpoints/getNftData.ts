import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, nftId } from '../fields.ts';
import { nftTokenInfo } from '../resources.ts';
import { z } from '../zod.ts';

/** Looks up the nftData of a minted NFT. The wallet computes it too. */
export const getNftData = readEndpoint({
  path: '/api/v3/nft/info/nftData',
  summary: doc?.('What identifies an NFT on L2'),
  query: () => z.strictObject({ minter: address(), tokenAddress: address(), nftId: nftId() }),
  answer: () => nftTokenInfo(),
});
