import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { depthAnswer, depthQuery } from '../marketData.ts';

export const getDepth = readEndpoint({
  path: '/api/v3/depth',
  summary: doc?.('The order book of a market, both sides best first'),
  apiKey: 'none',
  cacheSeconds: 1,
  errorCodes: doc?.(['MARKET_DATA_UNSUPPORTED', 'DEPTH_LEVEL_UNSUPPORTED']),
  query: depthQuery,
  answer: depthAnswer,
});
