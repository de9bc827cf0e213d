import type { Sql } from '../../db/port.ts';
import type { OpenBlock } from '../blocks.ts';
import type { Relayer } from '../relayer.ts';
import type { RequestRow } from '../requestRow.ts';
import { settlements } from './index.ts';
import { SettlementFailure } from './settlementFailure.ts';

/**
 * Carries a received request out and puts it into the open block. The caller holds the engine's
 * lock and has locked the request's accounts.
 * @throws {SettlementFailure} the request can never be carried out.
 */
export async function settleRequest(
  relayer: Relayer,
  tx: Sql,
  block: OpenBlock,
  request: RequestRow,
  now: number,
): Promise<void> {
  const settle = settlements[request.kind];
  if (request.valid_until > 0 && request.valid_until <= block.time)
    throw new SettlementFailure('its validUntil passed before it was settled');
  const position = await block.append(await settle(relayer, tx, request, block));
  await tx.query(
    `UPDATE requests SET status = 'processing', block_id = $2, index_in_block = $3, updated_at = $4 WHERE id = $1`,
    [request.id, position.blockId, position.indexInBlock, now],
  );
  relayer.metrics.count('requests_settled_total', { kind: request.kind });
}
