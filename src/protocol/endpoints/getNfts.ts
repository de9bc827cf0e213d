import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { hashList, splitList } from '../fields.ts';
import { nftTokenInfo } from '../resources.ts';
import { z } from '../zod.ts';

/** Looks up NFTs by nftData, at most 50. */
export const getNfts = readEndpoint({
  path: '/api/v3/nft/info/nfts',
  summary: doc?.('What identifies several NFTs'),
  apiKey: 'optional',
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      nftDatas: hashList().check(z.refine((list) => splitList(list).length <= 50, 'names more than 50 NFTs')),
    }),
  answer: () => z.array(nftTokenInfo()),
});
