import type { Db } from '../../db/port.ts';
import { PROVEN_BLOCKS, PROVEN_TRANSACTIONS, type RootedBlock } from './blockStates.ts';

/**
 * The first block whose changes are kept, so that balances at older blocks than the newest can be
 * proven.
 */
export async function firstKept(db: Db): Promise<number | undefined> {
  const [row] = await db.query<{ first: number | null }>(
    `SELECT min(block_id) AS first FROM (
       SELECT block_id, sum(size) OVER (ORDER BY block_id DESC) AS transactions FROM (
         SELECT block_id, size FROM blocks WHERE data IS NOT NULL ORDER BY block_id DESC LIMIT $2) AS newest) AS counted
     WHERE transactions <= $1`,
    [PROVEN_TRANSACTIONS, PROVEN_BLOCKS],
  );
  return row?.first ?? undefined;
}

/** The next blocks with roots behind a block, in their order. */
export async function readRooted(
  db: Db,
  after: number,
  limit: number,
): Promise<(RootedBlock & { readonly isFinal: boolean })[]> {
  const rows = await db.query<Omit<RootedBlock, 'data'> & { readonly data: string; readonly isFinal: boolean }>(
    `SELECT block_id AS "blockId", encode(data, 'hex') AS data, root_before AS "rootBefore", root_after AS "rootAfter",
       status = 'finalized' AS "isFinal"
     FROM blocks WHERE data IS NOT NULL AND block_id > $1 ORDER BY block_id LIMIT $2`,
    [after, limit],
  );
  return rows.map((row) => ({ ...row, data: Buffer.from(row.data, 'hex') }));
}
