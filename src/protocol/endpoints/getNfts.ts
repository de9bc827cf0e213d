import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { fewItems, hashList } from '../fields.ts';
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
      nftDatas: hashList().check(fewItems('NFTs')),
    }),
  answer: () => z.array(nftTokenInfo()),
});
