import type { Hex } from '../../protocol/fields.ts';
import { MAX_LIMIT } from '../../protocol/fields.ts';
import { formatHash } from '../../protocol/formatHash.ts';
import { publicDataHash } from '../../protocol/rollup/index.ts';
import type { BlockStatus } from '../../protocol/statuses.ts';
import type { Route } from '../server/route.ts';

/** Bytes in one answer, unless its first block alone has more. */
const MOST_BYTES = 500_000;

interface Row {
  readonly block_id: number;
  readonly status: BlockStatus;
  readonly data: string;
  readonly root_before: Hex;
  readonly root_after: Hex;
}

export const getBlockBytes: Route<'getBlockBytes'> = {
  handle: async ({ relayer, query }) => {
    const rows = await relayer.histories.query<Row>(
      `SELECT block_id, status, encode(data, 'hex') AS data, root_before, root_after FROM (
         SELECT *, sum(length(data)) OVER (ORDER BY block_id) - length(data) AS before FROM (
           SELECT * FROM blocks WHERE block_id >= $1 AND data IS NOT NULL ORDER BY block_id LIMIT $2) AS listed) AS sized
       WHERE before < ${MOST_BYTES} ORDER BY block_id`,
      [query.start ?? 0, query.limit ?? MAX_LIMIT],
    );
    return {
      blocks: rows.map(({ block_id: blockId, status, data, root_before: rootBefore, root_after: rootAfter }) => ({
        blockId,
        status,
        data: `0x${data}`,
        rootBefore,
        rootAfter,
        publicDataHash: formatHash(publicDataHash(Buffer.from(data, 'hex'))),
      })),
    };
  },
};
