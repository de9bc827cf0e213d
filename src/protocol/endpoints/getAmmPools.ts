import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { address, erc20TokenId, hash32, millisecondsOrText } from '../fields.ts';

/** One pool. `name` and `version` enter its EIP-712 domain. */
export const poolInfo = z.looseObject({
  name: z.string(),
  market: z.string(),
  address: address.describe('Pool contract'),
  version: z.string(),
  tokens: z.looseObject({
    pooled: z.array(erc20TokenId).min(2),
    lp: erc20TokenId.describe('LP token'),
  }),
  feeBips: z.int().describe('Pool fee in ten-thousandths'),
  precisions: z.looseObject({ price: z.int(), amount: z.int() }).optional(),
  createdAt: millisecondsOrText.optional(),
  status: z.int().optional(),
  domainSeparator: hash32.optional().describe('Compare with the one computed from name, chain and address'),
});

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
  errorCodes: [100000],
  query: z.strictObject({}),
  body: z.undefined(),
  answer: z.looseObject({ pools: z.array(poolInfo) }),
});
