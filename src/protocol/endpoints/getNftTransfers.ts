import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { nftTransferData, totalNum } from '../resources.ts';

/** NFT transfers of an account, newest first. */
export const getNftTransfers = endpoint({
  name: 'getNftTransfers',
  method: 'GET',
  path: '/api/v3/user/nft/transfers',
  summary: 'NFT transfers of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery,
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, transfers: z.array(nftTransferData).describe('One page of rows') }),
});
