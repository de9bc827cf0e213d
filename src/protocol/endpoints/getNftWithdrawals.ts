import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { queryOffset } from '../fields.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { totalNum } from '../resources.ts';
import { nftTransaction } from './getNftTransactions.ts';

/** NFT withdrawals of an account, newest first. */
export const getNftWithdrawals = endpoint({
  name: 'getNftWithdrawals',
  method: 'GET',
  path: '/api/v3/user/nft/withdrawals',
  summary: 'NFT withdrawals of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery.extend({ offset: queryOffset.optional() }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, withdrawals: z.array(nftTransaction).describe('One page of rows') }),
});
