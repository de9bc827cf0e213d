import { z } from 'zod';
import { described } from '../../../protocol/described.ts';
import { hash32 } from '../../../protocol/fields.ts';
import { operatorAction } from '../operatorAction.ts';
import { OperatorRefusal } from '../operatorRefusal.ts';

/** A sealed block is on layer 1. It is confirmed from now on, and finalized after its time. */
export const blockSubmitted = operatorAction({
  summary: 'a sealed block is on layer 1',
  body: z.strictObject({
    blockId: z.int().min(1).describe('number of the block'),
    txHash: described(hash32(), 'hash of the L1 transaction that submitted it'),
  }),
  subject: ({ blockId }) => `block ${blockId}`,
  perform: async (relayer, tx, { blockId, txHash }) => {
    const [block] = await tx.query<{
      status: string;
      tx_hash: string;
      submitted_at: number | null;
      without_bytes: boolean;
    }>(
      'SELECT status, tx_hash, submitted_at, operator_id IS NOT NULL AND data IS NULL AS without_bytes FROM blocks WHERE block_id = $1 FOR UPDATE',
      [blockId],
    );
    if (!block) throw new OperatorRefusal('unknown', `blockId: there is no block ${blockId}`);
    if (block.status === 'open') throw new OperatorRefusal('early', `block ${blockId} is not sealed yet`);
    if (block.without_bytes) throw new OperatorRefusal('early', `block ${blockId} has no roots yet`);
    const submitted = txHash.toLowerCase();
    if (block.submitted_at !== null) {
      if (block.tx_hash === submitted) return { repeated: true };
      throw new OperatorRefusal('contradiction', `block ${blockId} was submitted by ${block.tx_hash}`);
    }
    const [before] = await tx.query<{ block_id: number | null }>(
      `SELECT min(block_id) AS block_id FROM blocks WHERE status = 'pending' AND block_id < $1`,
      [blockId],
    );
    if (before && before.block_id !== null)
      throw new OperatorRefusal('early', `block ${before.block_id} comes before it and was not reported yet`);
    await tx.query(
      `UPDATE blocks SET tx_hash = $2, submitted_at = $3,
         status_at = CASE status WHEN 'pending' THEN $3 ELSE status_at END,
         status = CASE status WHEN 'pending' THEN 'confirmed' ELSE status END
       WHERE block_id = $1`,
      [blockId, submitted, relayer.clock.now()],
    );
    return { repeated: false };
  },
});
