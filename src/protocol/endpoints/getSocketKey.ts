import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { z } from '../zod.ts';

export const getSocketKey = endpoint({
  method: 'GET',
  path: '/v3/ws/key',
  summary: doc?.('A key that opens one WebSocket connection within a minute'),
  apiKey: 'none',
  requestsPerSecond: null,
  resend: 'never',
  answer: () =>
    z.looseObject({
      key: described(z.string().check(z.minLength(1), z.maxLength(200)), doc?.('Serves once, as wsApiKey')),
    }),
});
