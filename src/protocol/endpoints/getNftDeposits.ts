import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { onePage } from '../onePage.ts';
import { nftDepositData } from '../resources.ts';

/** NFT deposits of an account, newest first. */
export const getNftDeposits = readEndpoint({
  path: '/api/v3/user/nft/deposits',
  summary: doc?.('NFT deposits of an account'),
  query: () => nftHistoryQuery(),
  answer: () => onePage('deposits', nftDepositData()),
});
