import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { hashList, historyQueryShape, queryAccountId, requestStatusList, wordList } from '../fields.ts';
import { onePage } from '../onePage.ts';
import { transferData } from '../resources.ts';
import { z } from '../zod.ts';

/** Transfers of an account, newest first. */
export const getTransfers = readEndpoint({
  path: '/api/v3/user/transfers',
  summary: doc?.('Transfers of an account'),
  errorCodes: doc?.(['USER_ID_EMPTY']),
  query: () =>
    z.strictObject({
      accountId: z.optional(queryAccountId()),
      ...historyQueryShape(),
      status: z.optional(requestStatusList()),
      tokenSymbol: described(z.optional(z.string().check(z.maxLength(64))), doc?.('All tokens when absent')),
      transferTypes: z.optional(wordList()),
      hashes: z.optional(hashList()),
    }),
  answer: () => onePage('transactions', transferData()),
});
