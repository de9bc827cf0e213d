import type { BlockStatus } from '../../protocol/statuses.ts';
import type { BlockTransaction } from '../engine/blocks.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

interface Row {
  readonly block_id: number;
  readonly status: BlockStatus;
  readonly size: number;
  readonly tx_hash: string;
  readonly submitted_at: number | null;
  readonly created_at: number;
}

/** Without the bytes of the block. */
const COLUMNS = 'block_id, status, size, tx_hash, submitted_at, created_at';

export const getBlock: Route<'getBlock'> = {
  exactIntegers: ['fillS'],
  handle: async ({ relayer, query }) => {
    const { id = 'finalized' } = query;
    const [row] = await (typeof id === 'number'
      ? relayer.histories.query<Row>(`SELECT ${COLUMNS} FROM blocks WHERE block_id = $1 AND status <> 'open'`, [id])
      : relayer.histories.query<Row>(
          `SELECT ${COLUMNS} FROM blocks WHERE status = ANY($1::text[]) ORDER BY block_id DESC LIMIT 1`,
          [
            // What is finalized was confirmed before.
            id === 'confirmed' ? ['confirmed', 'finalized'] : ['finalized'],
          ],
        ));
    if (!row) throw new Refusal('INVALID_ARGUMENT', `id: there is no block ${id}`);
    const transactions = await relayer.histories.query<{ data: BlockTransaction }>(
      'SELECT data FROM block_transactions WHERE block_id = $1 ORDER BY index_in_block',
      [row.block_id],
    );
    // The archive may take them between the two reads.
    if (transactions.length !== row.size)
      throw new Refusal('INVALID_ARGUMENT', `id: the transactions of block ${row.block_id} are archived`);
    return {
      blockId: row.block_id,
      blockSize: row.size,
      exchange: relayer.config.exchangeAddress,
      // Blocks of earlier versions hold another text before they are reported.
      txHash: row.submitted_at === null ? '' : row.tx_hash,
      status: row.status,
      createdAt: row.created_at,
      transactions: transactions.map(({ data }) => data),
    };
  },
};
