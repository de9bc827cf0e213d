import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { nftTransferData, totalNum } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT transfers of an account, newest first. */
export const getNftTransfers = endpoint({
  name: 'getNftTransfers',
  method: 'GET',
  path: '/api/v3/user/nft/transfers',
  summary: doc?.('NFT transfers of an account'),
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery(),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      totalNum: totalNum(),
      transfers: described(z.array(nftTransferData()), doc?.('One page of rows')),
    }),
});
