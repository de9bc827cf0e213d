import { Refusal } from '../../errors.ts';
import type { Account } from '../accounts.ts';
import type { Relayer } from '../relayer.ts';
import { cancelOrders, type OrdersToCancel } from './cancelOrders.ts';

/**
 * Cancels several orders; an order that is cancelled already counts as done, so the same request can be repeated.
 * @throws {Refusal} NO_ORDER_TO_CANCEL when none could be cancelled, BATCH_PARTLY_FAILED when only some.
 */
export async function cancelBatch(relayer: Relayer, account: Account, wanted: OrdersToCancel): Promise<object[]> {
  const outcomes = await cancelOrders(relayer, account, wanted);
  const done = outcomes.filter(({ order, wasOpen }) => wasOpen || order?.status === 'cancelled');
  if (done.length === 0) throw new Refusal('NO_ORDER_TO_CANCEL', 'none of these orders is open');
  if (done.length < outcomes.length)
    throw new Refusal('BATCH_PARTLY_FAILED', `${done.length} of ${outcomes.length} orders were cancelled`);
  return done.map(({ order, wasOpen }) => ({
    hash: order?.hash,
    clientOrderId: order?.client_order_id,
    status: 'cancelled',
    isIdempotent: !wasOpen,
  }));
}
