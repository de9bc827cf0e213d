import type { Hex } from '../../protocol/fields.ts';
import { MAX_LIMIT } from '../../protocol/fields.ts';
import { formatHash } from '../../protocol/formatHash.ts';
import { publicDataHash } from '../../protocol/rollup/index.ts';
import type { BlockStatus } from '../../protocol/statuses.ts';
import type { Route } from '../server/route.ts';

/** Bytes in one answer, unless its first block alone has more. */
const MOST_BYTES = 500_000;

interface Row {
  readonly blockId: number;
  readonly status: BlockStatus;
  readonly data: string;
  readonly rootBefore: Hex;
  readonly rootAfter: Hex;
}

export const getBlockBytes: Route<'getBlockBytes'> = {
  handle: async ({ relayer, query }) => {
    const rows = await relayer.histories.query<Row>(
      `SELECT block_id AS "blockId", status, encode(data, 'hex') AS data, root_before AS "rootBefore",
         root_after AS "rootAfter" FROM (
         SELECT *, sum(length(data)) OVER (ORDER BY block_id) - length(data) AS before FROM (
           SELECT * FROM blocks WHERE block_id >= $1 AND data IS NOT NULL ORDER BY block_id LIMIT $2) AS listed) AS sized
       WHERE before < ${MOST_BYTES} ORDER BY block_id`,
      [query.start ?? 0, query.limit ?? MAX_LIMIT],
    );
    return {
      blocks: rows.map((row) => ({
        ...row,
        data: `0x${row.data}`,
        publicDataHash: formatHash(publicDataHash(Buffer.from(row.data, 'hex'))),
      })),
    };
  },
};
