import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { nftDepositData, totalNum } from '../resources.ts';

/** NFT deposits of an account, newest first. */
export const getNftDeposits = endpoint({
  name: 'getNftDeposits',
  method: 'GET',
  path: '/api/v3/user/nft/deposits',
  summary: 'NFT deposits of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery,
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, deposits: z.array(nftDepositData).describe('One page of rows') }),
});
