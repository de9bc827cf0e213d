import type { Sql } from '../../db/port.ts';
import { SettlementFailure } from '../settle/settlementFailure.ts';

/** Balances of the circuit have 96 bits. */
const MAX_BALANCE = 2n ** 96n - 1n;

/**
 * Sees that a slot holds no more than a balance can.
 * @throws {SettlementFailure}
 */
export async function checkSlotRoom(tx: Sql, accountId: number, tokenId: number, amount: bigint): Promise<void> {
  const [row] = await tx.query<{ total: bigint }>(
    'SELECT total FROM balances WHERE account_id = $1 AND token_id = $2',
    [accountId, tokenId],
  );
  if ((row?.total ?? 0n) + amount > MAX_BALANCE)
    throw new SettlementFailure('the slot would hold more than 2^96 - 1, the most that a balance can be');
}
