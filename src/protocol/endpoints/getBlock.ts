import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { queryInteger } from '../fields.ts';
import { block } from '../resources.ts';
import { z } from '../zod.ts';

export const getBlock = readEndpoint({
  path: '/api/v3/block/getBlock',
  summary: doc?.('A block by number, or the latest of a status'),
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      id: described(
        z.optional(
          z.union([z.enum(['finalized', 'confirmed']), queryInteger()], {
            error: 'is neither finalized, confirmed nor a block number',
          }),
        ),
        doc?.({
          wire: { anyOf: [{ enum: ['finalized', 'confirmed'] }, { type: 'integer', minimum: 0 }] },
          description: 'finalized (default), confirmed, or a block number',
        }),
      ),
    }),
  answer: () => block(),
});
