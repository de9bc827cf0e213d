import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { nftDepositData, totalNum } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT deposits of an account, newest first. */
export const getNftDeposits = endpoint({
  name: 'getNftDeposits',
  method: 'GET',
  path: '/api/v3/user/nft/deposits',
  summary: doc?.('NFT deposits of an account'),
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery(),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({ totalNum: totalNum(), deposits: described(z.array(nftDepositData()), doc?.('One page of rows')) }),
});
