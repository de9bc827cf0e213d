import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { tickerAnswer, tickerQuery } from '../marketData.ts';
import { z } from '../zod.ts';

/** Tickers of order books. */
export const getTicker = endpoint({
  name: 'getTicker',
  method: 'GET',
  path: '/api/v3/ticker',
  summary: doc?.('The last 24 hours of order books'),
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
