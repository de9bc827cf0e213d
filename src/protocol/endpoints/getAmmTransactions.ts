import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { address, commaList, historyQueryShape, queryAccountId } from '../fields.ts';
import { ammTransactionDataV3, totalNum } from '../resources.ts';

/** A user's joins and exits, newest first. */
export const getAmmTransactions = endpoint({
  name: 'getAmmTransactions',
  method: 'GET',
  path: '/api/v3/amm/user/transactions',
  summary: 'Joins and exits of an account',
  apiKey: 'required',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'USER_ID_EMPTY', ...apiKeyCodes],
  query: () =>
    z.strictObject({
      accountId: queryAccountId.optional(),
      ...historyQueryShape(),
      txTypes: commaList(/^(join|exit)$/, 'AMM transaction types').optional(),
      txStatus: commaList(/^(processing|cancelled|processed)$/, 'AMM statuses').optional(),
      ammPoolAddress: address.optional(),
    }),
  body: () => z.undefined(),
  answer: () => z.looseObject({ totalNum, transactions: z.array(ammTransactionDataV3).describe('One page of rows') }),
});
