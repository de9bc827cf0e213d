import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { z } from '../zod.ts';
import { ammBalance } from './getAmmBalance.ts';

/** Tokens inside every pool. */
export const getAmmBalances = endpoint({
  name: 'getAmmBalances',
  method: 'GET',
  path: '/api/v3/amm/balances',
  summary: doc?.('Tokens inside all pools'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.array(ammBalance()),
});
