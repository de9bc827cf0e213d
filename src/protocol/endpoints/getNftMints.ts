import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { queryOffset } from '../fields.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { onePage } from '../onePage.ts';
import { nftTransaction } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT mints of an account, newest first. The rows travel as `transfers`. */
export const getNftMints = readEndpoint({
  path: '/api/v3/user/nft/mints',
  summary: doc?.('NFT mints of an account'),
  requestsPerSecond: null,
  query: () => z.extend(nftHistoryQuery(), { offset: z.optional(queryOffset()) }),
  answer: () => onePage('transfers', nftTransaction()),
});
