import { DatabaseUnavailable, type Sql } from '../../db/port.ts';
import { Refusal } from '../../errors.ts';
import { type Account, lockAccount } from '../accounts.ts';
import { InjectedFault } from '../faults.ts';
import { canonicalHash } from '../nft/nftRows.ts';
import type { Relayer } from '../relayer.ts';
import { refuseTrouble } from '../trouble.ts';
import { closeOrder, type OrderRow } from './orderRow.ts';

export type OrdersToCancel =
  /** With the other name that the order has to have as well. */
  | { readonly hashes: readonly string[]; readonly clientOrderId?: string | undefined }
  | { readonly clientOrderIds: readonly string[] };

export interface CancelOutcome {
  /** As it was asked for. */
  readonly name: string;
  /** `undefined`: this account has no such order. */
  readonly order: OrderRow | undefined;
  readonly wasOpen: boolean;
}

/**
 * Cancels open orders of an account and frees what they hold, all in one transaction. What is not
 * open stays as it is.
 * @throws {Refusal} INVALID_ARGUMENT when the names are of two orders, CANCEL_FAILED when the
 *   database is in trouble; nothing was cancelled then.
 */
export async function cancelOrders(
  relayer: Relayer,
  account: Account,
  wanted: OrdersToCancel,
): Promise<CancelOutcome[]> {
  return relayer.db
    .transaction(async (tx) => {
      await lockAccount(tx, account.accountId);
      relayer.faults.pass('cancel');
      const outcomes: CancelOutcome[] = [];
      const names = 'hashes' in wanted ? wanted.hashes : wanted.clientOrderIds;
      for (const name of new Set(names)) {
        const order = await find(tx, account.accountId, 'hashes' in wanted ? 'hash' : 'client_order_id', name);
        if ('hashes' in wanted && order && order.client_order_id !== (wanted.clientOrderId ?? order.client_order_id))
          throw new Refusal('INVALID_ARGUMENT', 'clientOrderId: is not the one of this order');
        const wasOpen = order?.status === 'processing';
        if (order && wasOpen) await closeOrder(tx, order, 'cancelled', relayer.clock.now());
        outcomes.push({ name, order, wasOpen });
      }
      return outcomes;
    })
    .then((outcomes) => {
      relayer.wake();
      return outcomes;
    })
    .catch((error) => {
      if (error instanceof InjectedFault) throw new Refusal('CANCEL_FAILED');
      if (error instanceof DatabaseUnavailable) throw error;
      return refuseTrouble(relayer, error, 'CANCEL_FAILED');
    });
}

async function find(tx: Sql, accountId: number, column: 'hash' | 'client_order_id', name: string) {
  const [order] = await tx.query<OrderRow>(`SELECT * FROM orders WHERE account_id = $1 AND ${column} = $2`, [
    accountId,
    column === 'hash' ? canonicalHash(name) : name,
  ]);
  return order;
}
