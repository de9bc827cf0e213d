import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { accountId, address, nonce, queryAccountId } from '../fields.ts';
import { publicKeyAnswer } from '../resources.ts';
import { z } from '../zod.ts';

/** Tag of an account whose first key update somebody has paid. */
export const FIRST_UPDATE_PAID = 'FirstUpdateAccountPaid';

/**
 * The L2 account of an owner. `frozen` is true while a key update is in progress; the public key is
 * two empty texts (or two zeros) until the first one.
 */
export const getAccount = readEndpoint({
  path: '/api/v3/account',
  summary: doc?.('The L2 account of an owner, by address or id'),
  apiKey: 'none',
  errorCodes: doc?.(['ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND']),
  query: () =>
    z
      .strictObject({
        owner: described(z.optional(address()), doc?.('Owner address')),
        accountId: z.optional(queryAccountId()),
      })
      .check(
        z.refine((query) => query.owner !== undefined || query.accountId !== undefined, 'owner or accountId is needed'),
      ),
  answer: () =>
    z.looseObject({
      accountId: accountId(),
      owner: address(),
      frozen: described(z.boolean(), doc?.('True while a key update is in progress')),
      publicKey: described(publicKeyAnswer(), doc?.("The account's current public key")),
      tags: described(z.optional(z.string()), doc?.(`Comma-separated tags, such as ${FIRST_UPDATE_PAID}`)),
      nonce: nonce(),
      keyNonce: described(z.optional(z.int()), doc?.('Historic')),
      keySeed: described(z.string(), doc?.('Text whose signature yields the account key; empty: the default text')),
    }),
});
