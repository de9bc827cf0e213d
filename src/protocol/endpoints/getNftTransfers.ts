import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { nftTransferData, totalNum } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT transfers of an account, newest first. */
export const getNftTransfers = readEndpoint({
  name: 'getNftTransfers',
  path: '/api/v3/user/nft/transfers',
  summary: doc?.('NFT transfers of an account'),
  apiKey: 'required',
  requestsPerSecond: 5,
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery(),
  answer: () =>
    z.looseObject({
      totalNum: totalNum(),
      transfers: described(z.array(nftTransferData()), doc?.('One page of rows')),
    }),
});
