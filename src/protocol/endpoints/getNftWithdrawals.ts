import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { queryOffset } from '../fields.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { onePage } from '../onePage.ts';
import { nftTransaction } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT withdrawals of an account, newest first. */
export const getNftWithdrawals = readEndpoint({
  path: '/api/v3/user/nft/withdrawals',
  summary: doc?.('NFT withdrawals of an account'),
  requestsPerSecond: null,
  query: () => z.extend(nftHistoryQuery(), { offset: z.optional(queryOffset()) }),
  answer: () => onePage('withdrawals', nftTransaction()),
});
