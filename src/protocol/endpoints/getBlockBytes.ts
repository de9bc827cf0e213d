import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { bytesText, hash32, MAX_LIMIT, queryInteger, queryLimit } from '../fields.ts';
import { blockStatus } from '../statuses.ts';

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
            data: bytesText.describe('Header and transactions'),
            rootBefore: hash32.describe('Root of the state before the block'),
            rootAfter: hash32.describe('Root of the state after the block'),
            publicDataHash: hash32.describe('SHA-256 of the bytes, as layer 1 keeps it'),
          }),
        )
        .describe('Without gaps; empty when no such block has roots yet'),
    }),
});
