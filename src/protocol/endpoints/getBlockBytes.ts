import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { hash32, MAX_LIMIT, queryInteger, queryLimit } from '../fields.ts';
import { once } from '../once.ts';
import { blockStatus } from '../statuses.ts';
import { z } from '../zod.ts';

/** Whole bytes as 0x and hex, as many as a block has. */
export const publishedBytes = once(() =>
  z.string().check(
    z.regex(/^0x[0-9a-fA-F]*$/, 'is not 0x and hex'),
    z.refine((data) => data.length % 2 === 0, 'has half a byte'),
  ),
);

/**
 * Sealed blocks as they are published, in their order: what `npm run replay` rebuilds the state
 * from.
 */
export const getBlockBytes = readEndpoint({
  path: '/api/v3/block/bytes',
  summary: doc?.('Bytes and roots of sealed blocks, from which anybody can rebuild the state'),
  apiKey: 'none',
  requestsPerSecond: null,
  query: () =>
    z.strictObject({
      start: described(z.optional(queryInteger()), doc?.('First block number; the first block with bytes when absent')),
      limit: described(
        z.optional(queryLimit()),
        doc?.(`Blocks to return, at most ${MAX_LIMIT}; fewer when they are large`),
      ),
    }),
  answer: () =>
    z.looseObject({
      blocks: described(
        z.array(
          z.looseObject({
            blockId: described(z.int().check(z.minimum(0)), doc?.('Block number')),
            status: blockStatus(),
            data: described(publishedBytes(), doc?.('Header and transactions')),
            rootBefore: described(hash32(), doc?.('Root of the state before the block')),
            rootAfter: described(hash32(), doc?.('Root of the state after the block')),
            publicDataHash: described(hash32(), doc?.('SHA-256 of the bytes, as layer 1 keeps it')),
          }),
        ),
        doc?.('Without gaps; empty when no such block has roots yet'),
      ),
    }),
});
