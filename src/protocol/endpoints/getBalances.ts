import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { accountId, decimalText, integerList, queryAccountId, tokenId } from '../fields.ts';
import { once } from '../once.ts';
import { pendingBalance } from '../resources.ts';
import { z } from '../zod.ts';

/** Balance of one token, base units. */
const balance = once(() =>
  z.looseObject({
    accountId: z.optional(accountId()),
    tokenId: tokenId(),
    total: described(decimalText(), doc?.('Whole balance')),
    locked: described(decimalText(), doc?.('Part of the total held by orders and pending withdrawals')),
    pending: pendingBalance(),
  }),
);

/**
 * Balances of an account. The answer is a bare list. A single object, which the interface document
 * leaves possible, is read as a list of one.
 */
export const getBalances = readEndpoint({
  path: '/api/v3/user/balances',
  summary: doc?.('Token balances of an account'),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      tokens: described(z.optional(integerList()), doc?.('Comma-separated token ids; all when absent')),
    }),
  answer: () =>
    z.pipe(
      z.transform((answer: unknown) => (Array.isArray(answer) ? answer : [answer])),
      z.array(balance()),
    ),
});
