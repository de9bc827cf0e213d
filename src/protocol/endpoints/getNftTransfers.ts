import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { onePage } from '../onePage.ts';
import { nftTransferData } from '../resources.ts';

/** NFT transfers of an account, newest first. */
export const getNftTransfers = readEndpoint({
  path: '/api/v3/user/nft/transfers',
  summary: doc?.('NFT transfers of an account'),
  query: () => nftHistoryQuery(),
  answer: () => onePage('transfers', nftTransferData()),
});
