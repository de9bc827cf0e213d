import { relayerErrors } from '../../../protocol/errors.ts';
import { Refusal } from '../../errors.ts';
import type { Account } from '../accounts.ts';
import type { Relayer } from '../relayer.ts';
import { cancelOrders, type OrdersToCancel } from './cancelOrders.ts';

/**
 * Cancels several orders, each with an outcome of its own; an order that is cancelled already
 * counts as done, so the same request can be repeated.
 * @throws {Refusal} NO_ORDER_TO_CANCEL when none could be cancelled.
 */
export async function cancelBatch(relayer: Relayer, account: Account, wanted: OrdersToCancel): Promise<object[]> {
  const outcomes = await cancelOrders(relayer, account, wanted);
  const rows = outcomes.map(({ name, order, wasOpen }) => {
    const isCancelled = wasOpen || order?.status === 'cancelled';
    const described = order && { hash: order.hash, clientOrderId: order.client_order_id };
    if (isCancelled) return { id: name, result: true, ...described, status: 'cancelled', isIdempotent: !wasOpen };
    return {
      id: name,
      result: false,
      ...described,
      ...(order && { status: order.status }),
      error: {
        code: relayerErrors.NO_ORDER_TO_CANCEL.code,
        message: order ? `the order is ${order.status}` : 'this account has no such order',
      },
    };
  });
  if (rows.every(({ result }) => !result)) throw new Refusal('NO_ORDER_TO_CANCEL', 'none of these orders is open');
  return rows;
}
