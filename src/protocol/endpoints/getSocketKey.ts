import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

export const getSocketKey = endpoint({
  name: 'getSocketKey',
  method: 'GET',
  path: '/v3/ws/key',
  summary: 'A key that opens one WebSocket connection within a minute',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'never',
  errorCodes: ['UNKNOWN_ERROR'],
  query: () => z.strictObject({}),
  body: () => z.undefined(),
  answer: () => z.looseObject({ key: z.string().min(1).max(200).describe('Serves once, as wsApiKey') }),
});
