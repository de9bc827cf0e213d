import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { tickerAnswer, tickerQuery } from '../marketData.ts';
import { z } from '../zod.ts';

/** Tickers of markets with their pools, or of pools alone. */
export const getMixTicker = endpoint({
  name: 'getMixTicker',
  method: 'GET',
  path: '/api/v3/mix/ticker',
  summary: doc?.('The last 24 hours of markets with their pools'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  cacheSeconds: 1,
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: tickerQuery,
  body: () => z.undefined(),
  answer: tickerAnswer,
});
