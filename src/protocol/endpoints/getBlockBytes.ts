import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { hash32, MAX_LIMIT, queryInteger, queryLimit } from '../fields.ts';
import { blockStatus } from '../statuses.ts';

/** Whole bytes as 0x and hex, as many as a block has. */
export const publishedBytes = deferred(() =>
  z
    .string()
    .regex(/^0x[0-9a-fA-F]*$/, 'is not 0x and hex')
    .refine((data) => data.length % 2 === 0, 'has half a byte'),
);

/** Sealed blocks as they are published, in their order: what `npm run replay` rebuilds the state from. */
export const getBlockBytes = endpoint({
  name: 'getBlockBytes',
  method: 'GET',
  path: '/api/v3/block/bytes',
  summary: 'Bytes and roots of sealed blocks, in block order',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: null,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: () =>
    z.strictObject({
      start: queryInteger().optional().describe('First block number; the first block with bytes when absent'),
      limit: queryLimit.optional().describe(`Blocks to return, at most ${MAX_LIMIT}; fewer when they are large`),
    }),
  body: () => z.undefined(),
  answer: () =>
    z.looseObject({
      blocks: z
        .array(
          z.looseObject({
            blockId: z.int().min(0).describe('Block number'),
            status: blockStatus,
            data: publishedBytes.describe('Header and transactions'),
            rootBefore: hash32.describe('Root of the state before the block'),
            rootAfter: hash32.describe('Root of the state after the block'),
            publicDataHash: hash32.describe('SHA-256 of the bytes, as layer 1 keeps it'),
          }),
        )
        .describe('Without gaps; empty when no such block has roots yet'),
    }),
});
