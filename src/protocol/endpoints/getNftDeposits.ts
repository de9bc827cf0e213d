import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { nftDepositData, totalNum } from '../resources.ts';
import { z } from '../zod.ts';

/** NFT deposits of an account, newest first. */
export const getNftDeposits = readEndpoint({
  name: 'getNftDeposits',
  path: '/api/v3/user/nft/deposits',
  summary: doc?.('NFT deposits of an account'),
  apiKey: 'required',
  requestsPerSecond: 5,
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => nftHistoryQuery(),
  answer: () =>
    z.looseObject({ totalNum: totalNum(), deposits: described(z.array(nftDepositData()), doc?.('One page of rows')) }),
});
