import type { Db } from '../../db/port.ts';
import type { RootedBlock } from './blockStates.ts';

/** The next blocks with roots behind a block, in their order. */
export async function readRooted(db: Db, after: number, limit: number, finalized = false): Promise<RootedBlock[]> {
  const rows = await db.query<{ block_id: number; data: string; root_before: string; root_after: string }>(
    `SELECT block_id, encode(data, 'hex') AS data, root_before, root_after FROM blocks
     WHERE data IS NOT NULL AND block_id > $1 AND (NOT $3 OR status = 'finalized') ORDER BY block_id LIMIT $2`,
    [after, limit, finalized],
  );
  return rows.map((row) => ({
    blockId: row.block_id,
    data: Buffer.from(row.data, 'hex'),
    rootBefore: row.root_before,
    rootAfter: row.root_after,
  }));
}
