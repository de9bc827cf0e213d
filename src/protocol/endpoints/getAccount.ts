import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { accountId, address, nonce, queryAccountId } from '../fields.ts';
import { publicKeyAnswer } from '../resources.ts';

/**
 * The L2 account of an owner. `frozen` is true while a key update is under way; the public key is two empty texts (or two
 * zeros) until the first one.
 */
export const getAccount = endpoint({
  name: 'getAccount',
  method: 'GET',
  path: '/api/v3/account',
  summary: 'The L2 account of an owner, by address or id',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND'],
  query: () =>
    z
      .strictObject({
        owner: address.optional().describe('Owner address'),
        accountId: queryAccountId.optional(),
      })
      .refine((query) => query.owner !== undefined || query.accountId !== undefined, {
        message: 'owner or accountId is needed',
        path: ['owner'],
      }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      accountId,
      owner: address,
      frozen: z.boolean().describe('True while a key update is under way'),
      publicKey: publicKeyAnswer.describe("The account's current public key"),
      tags: z.string().optional().describe('Comma-separated tags, such as FirstUpdateAccountPaid'),
      nonce,
      keyNonce: z.int().optional().describe('Historic'),
      keySeed: z.string().describe('Text whose signature yields the L2 key; empty: the default text'),
    }),
});
