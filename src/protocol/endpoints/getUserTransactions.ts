import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { hashList, historyQueryShape, queryAccountId, requestStatusList, wordList } from '../fields.ts';
import { blockIdInfo, storageInfo, totalNum, transferData } from '../resources.ts';

/** A row of the general history: TransferData with what its kind adds. */
export const userTransaction = deferred(() =>
  transferData.extend({
    txHash: z.string().optional().describe('L1 transaction, empty for none'),
    requestId: z.int().optional().describe("The relayer's number of the request"),
    storageInfo: storageInfo.optional(),
    blockIdInfo: blockIdInfo.optional(),
    withdrawalInfo: z
      .looseObject({
        recipient: z.string().optional().describe('L1 receiver'),
        distributeHash: z.string().optional().describe('L1 transaction that paid out'),
        fastStatus: z.string().optional().describe('Status of a fast withdrawal'),
      })
      .optional()
      .describe('Payout of a withdrawal'),
  }),
);

/** Query of the histories of deposits, withdrawals and all requests. */
export const userHistoryQuery = deferred(() =>
  z.strictObject({
    accountId: queryAccountId,
    ...historyQueryShape(),
    tokenSymbol: z.string().max(64).optional().describe('All tokens when absent'),
    types: wordList
      .optional()
      .describe('deposit, transfer, offchain_withdrawal, onchain_withdrawal, change_password, …'),
    status: requestStatusList.optional(),
    hashes: hashList.optional(),
  }),
);

/** Every kind of request of an account, newest first. */
export const getUserTransactions = endpoint({
  name: 'getUserTransactions',
  method: 'GET',
  path: '/api/v3/user/transactions',
  summary: 'All requests of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => userHistoryQuery,
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, transactions: z.array(userTransaction).describe('One page of rows') }),
});
