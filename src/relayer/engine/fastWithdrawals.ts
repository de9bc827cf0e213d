import { Float24, roundToFloat } from '../../protocol/floats.ts';
import type { Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { lockAndReadAccounts } from './accounts.ts';
import { BalanceFull } from './balances.ts';
import { OpenBlock } from './blocks.ts';
import type { Token } from './catalog.ts';
import { payFromOperator } from './operatorPayment.ts';
import type { Relayer } from './relayer.ts';
import type { RequestRow } from './requestRow.ts';

/**
 * A fast withdrawal is paid out on layer 1 as soon as it is settled, while its block is still open;
 * the operator has the money back when the block is confirmed. What is paid ahead and not yet
 * confirmed never exceeds the token's limit. When the block is confirmed before the payout was
 * made, the user gets the difference to the usual fee back.
 */

/**
 * `details.fast` of a withdrawal. `ahead`: promised, its block is not confirmed. `paid`: it was
 * paid out before that. `late`: it was not, and the higher fee went back.
 */
export type FastState = 'ahead' | 'paid' | 'late';

const AHEAD = `kind = 'withdrawal' AND details->>'fast' = 'ahead' AND status <> 'failed'`;
const REFUND_MEMO = 'fast withdrawal not paid ahead';
const BATCH = 20;

/**
 * Base units that can be promised in a token at all; 0 for a delisted token, and where this relayer
 * pays nothing out.
 */
export const fastLimit = ({ l1 }: Relayer, { enabled, fastWithdrawLimit }: Token): bigint =>
  l1.payOut && enabled ? fastWithdrawLimit : 0n;

/** Base units that can be promised now. */
export async function fastRoom(relayer: Relayer, sql: Sql, token: Token): Promise<bigint> {
  const limit = fastLimit(relayer, token);
  if (limit === 0n) return 0n;
  const [row] = await sql.query<{ ahead: bigint }>(
    `SELECT coalesce(sum(amount), 0) AS ahead FROM requests WHERE ${AHEAD} AND token_id = $1`,
    [token.tokenId],
  );
  const room = limit - (row?.ahead ?? 0n);
  return room > 0n ? room : 0n;
}

/**
 * Sees that an amount fits beside what is promised already, inside the transaction that accepts it.
 * @throws {Refusal} FEE_OUTDATED: others took the room since the fee was quoted.
 */
export async function checkFastRoom(relayer: Relayer, tx: Sql, token: Token, amount: bigint): Promise<void> {
  // Two accounts that ask at the same time do not get the same room.
  await tx.query('SELECT 1 FROM tokens WHERE token_id = $1 FOR UPDATE', [token.tokenId]);
  const room = await fastRoom(relayer, tx, token);
  if (amount > room)
    throw new Refusal(
      'FEE_OUTDATED',
      `fastWithdrawalMode: ${room} base units of ${token.symbol} are paid out ahead now; withdraw that much, leave the mode out, or try again when a block is confirmed`,
    );
}

/** The `fastStatus` of a withdrawal; empty for one that was not asked to be fast. */
export function fastStatusOf({ details, status, tx_hash }: RequestRow): string {
  switch (details.fast as FastState | undefined) {
    case 'paid':
      return 'processed';
    case 'late':
      return 'failed';
    case 'ahead':
      if (status === 'received' || status === 'failed') return status;
      return tx_hash === '' ? 'processing' : 'processed';
    default:
      return '';
  }
}

/** A fast withdrawal whose promise has to end; of requests joined with their blocks. */
export const PROMISE_TO_END = `requests.kind = 'withdrawal' AND requests.details->>'fast' = 'ahead'
  AND requests.status <> 'failed' AND blocks.status IN ('confirmed', 'finalized')`;

/**
 * Ends the next promises whose blocks are confirmed, under the engine's lock. Those that the
 * operator cannot pay for now stay open, and have their turn again when the others had theirs.
 * @param after - Where the call before came to; 0 at first.
 * @param told - Ids of requests whose failure is in the log; it gets those of this call.
 * @returns How many there were, and where the next call begins.
 */
export async function endFastWithdrawals(
  relayer: Relayer,
  tx: Sql,
  after: number,
  told: Set<number>,
): Promise<{ readonly found: number; readonly next: number }> {
  const due = await tx.query<RequestRow>(
    `SELECT requests.* FROM requests JOIN blocks USING (block_id)
     WHERE ${PROMISE_TO_END} AND id > $1 ORDER BY id LIMIT ${BATCH}`,
    [after],
  );
  for (const request of due) {
    await tx.query('SAVEPOINT promise');
    try {
      await endPromise(relayer, tx, request);
      await tx.query('RELEASE SAVEPOINT promise');
    } catch (error) {
      // The operator's account cannot pay now, or the user's has no room; the promise stays open
      // and takes room until then.
      if (!(error instanceof Refusal || error instanceof BalanceFull)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT promise');
      if (!told.has(request.id))
        relayer.log.error({ err: error, hash: request.hash }, 'the fee of a late fast withdrawal could not go back');
      told.add(request.id);
    }
  }
  return { found: due.length, next: due.length < BATCH ? 0 : (due.at(-1)?.id ?? 0) };
}

async function endPromise(relayer: Relayer, tx: Sql, { id, account_id }: RequestRow): Promise<void> {
  const { operatorId } = await OpenBlock.take(tx, relayer.clock.now());
  const accounts = await lockAndReadAccounts(tx, [operatorId, account_id]);
  const [ended] = await tx.query<RequestRow>(
    `UPDATE requests
     SET details = jsonb_set(details, '{fast}', CASE WHEN tx_hash = '' THEN '"late"'::jsonb ELSE '"paid"'::jsonb END)
     WHERE id = $1 AND details->>'fast' = 'ahead' RETURNING *`,
    [id],
  );
  const payee = accounts.get(account_id);
  if (ended?.details.fast !== 'late' || !payee) return;
  const amount = roundToFloat(BigInt(String(ended.details.surcharge ?? 0)), Float24);
  await payFromOperator(relayer, tx, payee, { tokenId: ended.fee_token_id, amount, memo: REFUND_MEMO });
}
