import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { apiKeyCodes } from '../errors.ts';
import { address } from '../fields.ts';
import { tokenVolumeV3Answer } from '../resources.ts';

/** What a pool holds. */
export const ammBalance = deferred(() =>
  z.looseObject({
    poolName: z.string().describe('Pool name, enters its EIP-712 domain'),
    poolAddress: address,
    pooled: z.array(tokenVolumeV3Answer).describe("Amounts in the order of the pool's tokens"),
    lp: tokenVolumeV3Answer.describe('LP tokens in existence'),
    risky: z.boolean().describe('True when the pool is small and slippage large'),
  }),
);

/** Tokens inside one pool. Clients in use send no API key. */
export const getAmmBalance = endpoint({
  name: 'getAmmBalance',
  method: 'GET',
  path: '/api/v3/amm/balance',
  summary: 'Tokens inside a pool',
  apiKey: 'optional',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', ...apiKeyCodes],
  query: () => z.strictObject({ poolAddress: address }),
  body: () => z.undefined(),
  answer: () => ammBalance,
});
