import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { queryBoolean } from '../fields.ts';
import { depthAnswer, depthQuery } from '../marketData.ts';
import { z } from '../zod.ts';

export const getMixDepth = readEndpoint({
  path: '/api/v3/mix/depth',
  summary: doc?.('The order book of a market with what its pool offers'),
  apiKey: 'none',
  cacheSeconds: 1,
  errorCodes: doc?.(['MARKET_DATA_UNSUPPORTED', 'DEPTH_LEVEL_UNSUPPORTED']),
  query: () =>
    z.extend(depthQuery(), {
      showOverlap: described(
        z.optional(queryBoolean()),
        doc?.('Whether offers of the pool that cross the book are kept; false when absent'),
      ),
    }),
  answer: depthAnswer,
});
