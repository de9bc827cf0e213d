import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { tickerAnswer, tickerQuery } from '../marketData.ts';

export const getMixTicker = readEndpoint({
  path: '/api/v3/mix/ticker',
  summary: doc?.('The last 24 hours of markets with their pools, or of pools alone'),
  apiKey: 'none',
  cacheSeconds: 1,
  query: tickerQuery,
  answer: tickerAnswer,
});
