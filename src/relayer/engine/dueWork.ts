import type { RelayerConfig } from '../config.ts';
import { isSchemaNewer } from '../db/migrate.ts';
import type { Sql } from '../db/port.ts';
import { toConfirm, toFinalize, toSeal } from './blocks.ts';
import { PROMISE_TO_END } from './fastWithdrawals.ts';
import { BY_RANK } from './orders/bookRows.ts';
import { expiredBy, REACHABLE_BY_POOL, UNMATCHED } from './orders/dueOrders.ts';

/**
 * Steps of a round; `pooled` are orders that a pool would fill if it has moved, and only matching
 * knows whether it has.
 */
const STEPS = ['expired', 'requests', 'closed', 'orders', 'pooled', 'blocks', 'promises'] as const;

/** Which steps of a round may find something to do. A step that is not named has nothing to do. */
export type DueWork = Readonly<Record<(typeof STEPS)[number], boolean>>;

export const EVERYTHING = Object.fromEntries(STEPS.map((step) => [step, true])) as DueWork;

/**
 * Reads which work is due, without the engine's lock, in one statement: most rounds find nothing,
 * and each of their steps would be a transaction of five statements. The steps check again under
 * the lock, so work that another process does meanwhile is found done.
 */
export async function dueWork(
  sql: Sql,
  config: Pick<RelayerConfig, 'blockSize' | 'blockAgeMs' | 'confirmBlocks' | 'confirmAfterMs' | 'finalizeAfterMs'>,
  now: number,
): Promise<DueWork> {
  // The tables are those of another version. The steps find that too, and leave the work.
  if (await isSchemaNewer(sql)) return EVERYTHING;
  const [due] = await sql.query<DueWork>(dueWorkQuery(config.confirmBlocks), [
    ...[Math.floor(now / 1000), config.blockSize, now - config.blockAgeMs],
    ...[now - config.confirmAfterMs, now - config.finalizeAfterMs],
  ]);
  return due ?? EVERYTHING;
}

/**
 * Tells whether there is such a row, in the order of its index. A planner that expects many rows
 * would otherwise read the whole table until the first.
 */
const any = (rows: string, order: string) => `(SELECT true FROM ${rows} ORDER BY ${order} LIMIT 1) IS NOT NULL`;

/** Every part has an index of its own, or a table that is empty when nothing is due. */
export const dueWorkQuery = (confirmBlocks: RelayerConfig['confirmBlocks']) =>
  `SELECT ${any(`orders WHERE ${expiredBy('$1')}`, 'valid_until')} AS expired,
     ${any(`requests WHERE status = 'received'`, 'id')} AS requests,
     EXISTS (SELECT 1 FROM closed_orders) AS closed,
     ${any(`orders WHERE ${UNMATCHED}`, 'seq')} AS orders,
     ${any(`orders WHERE ${REACHABLE_BY_POOL}`, `pool_address, side, ${BY_RANK}`)} AS pooled,
     EXISTS (SELECT 1 FROM blocks WHERE ${toSeal('$2', '$3')})
       OR ${confirmBlocks === 'time'} AND ${any(`blocks WHERE ${toConfirm('$4')}`, 'status_at')}
       OR ${any(`blocks WHERE ${toFinalize('$5')}`, 'status_at')} AS blocks,
     EXISTS (SELECT 1 FROM requests JOIN blocks USING (block_id) WHERE ${PROMISE_TO_END}) AS promises`;
