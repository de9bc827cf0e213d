import { PayloadError } from '../../protocol/payloads/payloadError.ts';
import { acceptOrder } from '../engine/orders/acceptOrder.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';
import { payloadRefusal } from '../server/serveEndpoint.ts';
import { submitOrder } from './submitOrder.ts';

export const submitOrders: Route<'submitOrders'> = {
  invalid: Object.fromEntries(
    Object.entries(submitOrder.invalid ?? {}).map(([field, name]) => [`orders.${field}`, name]),
  ),
  handle: async ({ relayer, body, account }) => {
    const orders = await Promise.all(
      body.orders.map(async (order) => {
        const { clientOrderId = '' } = order;
        try {
          if (order.accountId !== account.accountId)
            throw new Refusal('ACCOUNT_ID_INVALID', `accountId ${order.accountId} is not the account of this request`);
          const { order: taken, isIdempotent } = await acceptOrder(relayer, account, order);
          return { hash: taken.hash, clientOrderId, status: taken.status, isIdempotent };
        } catch (thrown) {
          const error = thrown instanceof PayloadError ? payloadRefusal(thrown, submitOrder.invalid) : thrown;
          if (!(error instanceof Refusal)) relayer.log.error({ err: error }, 'an order of a batch failed');
          // What failed without a word may have been taken: the same bytes may come again.
          const { code, message } = error instanceof Refusal ? error : new Refusal('ORDER_SUBMIT_FAILED');
          return { clientOrderId, error: { code, message } };
        }
      }),
    );
    return { orders };
  },
};
