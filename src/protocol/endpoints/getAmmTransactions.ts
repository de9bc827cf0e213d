import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, commaList, historyQueryShape, queryAccountId } from '../fields.ts';
import { onePage } from '../onePage.ts';
import { ammTransactionDataV3 } from '../resources.ts';
import { z } from '../zod.ts';

/** A user's joins and exits, newest first. */
export const getAmmTransactions = readEndpoint({
  path: '/api/v3/amm/user/transactions',
  summary: doc?.('Joins and exits of an account'),
  errorCodes: doc?.(['USER_ID_EMPTY']),
  query: () =>
    z.strictObject({
      accountId: z.optional(queryAccountId()),
      ...historyQueryShape(),
      txTypes: z.optional(commaList(/^(join|exit)$/, 'AMM transaction types')),
      txStatus: z.optional(commaList(/^(processing|cancelled|processed)$/, 'AMM statuses')),
      ammPoolAddress: z.optional(address()),
    }),
  answer: () => onePage('transactions', ammTransactionDataV3()),
});
