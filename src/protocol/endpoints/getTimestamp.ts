import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { milliseconds } from '../fields.ts';
import { z } from '../zod.ts';

/** The relayer's clock, to judge local clock skew before a deadline is chosen. */
export const getTimestamp = readEndpoint({
  path: '/api/v3/timestamp',
  summary: doc?.("The relayer's clock"),
  apiKey: 'none',
  requestsPerSecond: null,
  answer: () => z.looseObject({ timestamp: milliseconds() }),
});
