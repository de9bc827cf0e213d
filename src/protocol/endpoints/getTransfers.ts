import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { hashList, historyQueryShape, queryAccountId, requestStatusList, wordList } from '../fields.ts';
import { totalNum, transferData } from '../resources.ts';

/** Transfers of an account, newest first. */
export const getTransfers = endpoint({
  name: 'getTransfers',
  method: 'GET',
  path: '/api/v3/user/transfers',
  summary: 'Transfers of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'USER_ID_EMPTY', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId.optional(),
      ...historyQueryShape(),
      status: requestStatusList.optional(),
      tokenSymbol: z.string().max(64).optional().describe('All tokens when absent'),
      transferTypes: wordList.optional(),
      hashes: hashList.optional(),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, transactions: z.array(transferData).describe('One page of rows') }),
});
