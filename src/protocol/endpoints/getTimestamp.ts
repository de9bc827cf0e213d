import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { milliseconds } from '../fields.ts';
import { z } from '../zod.ts';

/** The relayer's clock, to judge local clock skew before a deadline is chosen. */
export const getTimestamp = endpoint({
  name: 'getTimestamp',
  method: 'GET',
  path: '/api/v3/timestamp',
  summary: doc?.("The relayer's clock"),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.looseObject({ timestamp: milliseconds() }),
});
