import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { depthAnswer, depthQuery } from '../marketData.ts';
import { z } from '../zod.ts';

/** The order book of a market. */
export const getDepth = endpoint({
  name: 'getDepth',
  method: 'GET',
  path: '/api/v3/depth',
  summary: doc?.('The order book'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  cacheSeconds: 1,
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT', 'MARKET_DATA_UNSUPPORTED', 'DEPTH_LEVEL_UNSUPPORTED'],
  query: depthQuery,
  body: () => z.undefined(),
  answer: depthAnswer,
});
