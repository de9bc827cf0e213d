import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { accountId, decimalText, milliseconds, nftData, queryOffset, wordList } from '../fields.ts';
import { nftHistoryQuery } from '../nftHistoryQuery.ts';
import { blockIdInfo, storageInfo, totalNum } from '../resources.ts';
import { listedRequestStatus } from '../statuses.ts';

/** A row of the NFT histories. What its kind adds is kept. */
export const nftTransaction = deferred(() =>
  z.looseObject({
    id: z.union([z.string(), z.int()]).describe('Id of the row'),
    requestId: z.int().optional().describe("The relayer's number of the request"),
    hash: z.string().describe('Hash of the request'),
    txHash: z.string().optional().describe('L1 transaction, empty for none'),
    accountId,
    owner: z.string().describe('Address of the account'),
    status: listedRequestStatus,
    nftData,
    amount: decimalText,
    feeTokenSymbol: z.string().describe('Symbol of the fee token'),
    feeAmount: decimalText,
    createdAt: milliseconds,
    updatedAt: milliseconds,
    memo: z.string().optional().describe('Public remark'),
    blockIdInfo: blockIdInfo.optional(),
    storageInfo: storageInfo.optional(),
  }),
);

/** NFT requests of an account, newest first. */
export const getNftTransactions = endpoint({
  name: 'getNftTransactions',
  method: 'GET',
  path: '/api/v3/user/nft/transactions',
  summary: 'NFT requests of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () =>
    nftHistoryQuery.extend({
      offset: queryOffset.optional(),
      types: wordList.optional().describe('deposit, transfer, withdrawal, mint'),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, transactions: z.array(nftTransaction).describe('One page of rows') }),
});
