import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { address, erc20TokenId, hash32, millisecondsOrText } from '../fields.ts';

/** One pool. `name` and `version` enter its EIP-712 domain. */
export const poolInfo = deferred(() =>
  z.looseObject({
    name: z.string().describe('Pool name, enters its EIP-712 domain'),
    market: z.string().describe('Trading pair, BASE-QUOTE'),
    address: address.describe('Pool contract'),
    version: z.string().describe('EIP-712 domain version'),
    tokens: z
      .looseObject({
        pooled: z.array(erc20TokenId).min(2).describe('Pooled tokens; pool requests keep this order'),
        lp: erc20TokenId.describe('LP token'),
      })
      .describe('Token ids'),
    feeBips: z.int().describe('Pool fee in ten-thousandths'),
    precisions: z
      .looseObject({ price: z.int().describe('Digits of a price'), amount: z.int().describe('Digits of an amount') })
      .optional()
      .describe('Digits shown'),
    createdAt: millisecondsOrText.optional(),
    status: z.int().optional().describe('Bits of what is enabled'),
    domainSeparator: hash32.optional().describe('Compare with the one computed from name, chain and address'),
  }),
);

/** The AMM pools. */
export const getAmmPools = endpoint({
  name: 'getAmmPools',
  method: 'GET',
  path: '/api/v3/amm/pools',
  summary: 'The AMM pools',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.looseObject({ pools: z.array(poolInfo).describe('The pools') }),
});
