import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { accountId, address, decimalText, queryAccountId } from '../fields.ts';
import { z } from '../zod.ts';

/**
 * How the address of a smart wallet that is not deployed yet comes about. A refusal means: no such
 * wallet.
 */
export const getCounterFactualInfo = readEndpoint({
  path: '/api/v3/counterFactualInfo',
  summary: doc?.('How the smart wallet of an account is derived'),
  apiKey: 'none',
  requestsPerSecond: null,
  errorCodes: doc?.(['ADDRESS_NOT_FOUND', 'ACCOUNT_NOT_FOUND']),
  query: () =>
    z
      .strictObject({ accountId: z.optional(queryAccountId()), address: z.optional(address()) })
      .check(
        z.refine(
          (query) => query.accountId !== undefined || query.address !== undefined,
          'accountId or address is needed',
        ),
      ),
  answer: () =>
    z.looseObject({
      accountId: accountId(),
      wallet: described(address(), doc?.('Wallet address; recompute it before walletOwner is trusted')),
      walletFactory: address(),
      walletSalt: described(decimalText(), doc?.('uint256 as decimal text')),
      walletOwner: address(),
    }),
});
