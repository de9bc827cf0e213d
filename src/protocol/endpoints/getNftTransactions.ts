import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { queryOffset, wordList } from '../fields.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { onePage } from '../onePage.ts';
import { nftTransaction } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT requests of an account, newest first. */
export const getNftTransactions = readEndpoint({
  path: '/api/v3/user/nft/transactions',
  summary: doc?.('NFT requests of an account'),
  requestsPerSecond: null,
  query: () =>
    z.extend(nftHistoryQuery(), {
      offset: z.optional(queryOffset()),
      types: described(z.optional(wordList()), doc?.('deposit, transfer, withdrawal, mint')),
    }),
  answer: () => onePage('transactions', nftTransaction()),
});
