import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { z } from '../zod.ts';
import { marketInfo } from './getMarkets.ts';

/** Every market, with an order book, a pool or both. */
export const getMixMarkets = endpoint({
  name: 'getMixMarkets',
  method: 'GET',
  path: '/api/v3/mix/markets',
  summary: doc?.('Markets with an order book or a pool'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.looseObject({ markets: described(z.array(marketInfo()), doc?.('Trading pairs')) }),
});
