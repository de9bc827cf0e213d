import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { tickerAnswer, tickerQuery } from '../marketData.ts';

export const getTicker = readEndpoint({
  path: '/api/v3/ticker',
  summary: doc?.('The last 24 hours of order books, one row for each market in the order asked'),
  apiKey: 'none',
  cacheSeconds: 1,
  query: tickerQuery,
  answer: tickerAnswer,
});
