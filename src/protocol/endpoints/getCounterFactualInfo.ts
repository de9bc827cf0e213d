import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { accountId, address, decimalText, queryAccountId } from '../fields.ts';

/** How the address of a smart wallet that is not deployed yet comes about. A refusal means: no such wallet. */
export const getCounterFactualInfo = endpoint({
  name: 'getCounterFactualInfo',
  method: 'GET',
  path: '/api/v3/counterFactualInfo',
  summary: 'How the smart wallet of an account is derived',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND'],
  query: () =>
    z
      .strictObject({ accountId: queryAccountId.optional(), address: address.optional() })
      .refine((query) => query.accountId !== undefined || query.address !== undefined, {
        message: 'accountId or address is needed',
        path: ['accountId'],
      }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      accountId,
      wallet: address.describe('Wallet address; recompute it before walletOwner is trusted'),
      walletFactory: address,
      walletSalt: decimalText.describe('uint256 as decimal text'),
      walletOwner: address,
    }),
});
