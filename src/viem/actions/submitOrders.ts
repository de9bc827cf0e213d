import type { Address } from 'viem';
import { onTheWire, type RelayerClient, unreadable } from '../ask.ts';
import { RejectedError, RelayerActionError } from '../errors.ts';
import type { SubmitOrderParameters } from '../generated/methods.ts';
import { type SubmitOrderReturnType, submitOrder } from './operations.ts';

/** Requests of one call that wait in the wallet at a time; a site may have ten there. */
const AT_A_TIME = 8;

export interface SubmitOrdersParameters {
  /** As `submitOrder` takes each of them. */
  readonly orders: readonly SubmitOrderParameters[];
  /** Owner address for the orders that name none. */
  readonly account?: Address | undefined;
}

/** Equal for equal orders, whatever order their fields are in, and hardly ever for others. */
const textOf = (order: SubmitOrderParameters): string => [...JSON.stringify(onTheWire(order))].sort().join('');

/** Outcome of one order of a list: `order` or `error`. */
export type OrderOutcome =
  | { readonly order: SubmitOrderReturnType; readonly error: null }
  | { readonly order: null; readonly error: RelayerActionError };

/**
 * Asks for several orders, each with an outcome of its own; equal ones are placed as often as they
 * are listed. Within a standing approval none opens a window; otherwise the user reads and decides
 * one after the other in the same window, eight at most wait there at a time, and what was not
 * asked yet when one is rejected is not asked any more. Needs the permission *orders*.
 * @returns An outcome for each order, in their order. An order of which the `outcome` of the error
 *   is `unknown` may have been placed.
 * @example
 * const outcomes = await client.relayer.submitOrders({
 *   orders: [
 *     { sellToken, buyToken, clientOrderId: 'bid-1' },
 *     { sellToken, buyToken, clientOrderId: 'bid-2' },
 *   ],
 * });
 * const mayBePlaced = outcomes.filter(({ error }) => error?.outcome === 'unknown');
 */
export async function submitOrders(
  client: RelayerClient,
  { orders, account }: SubmitOrdersParameters,
): Promise<readonly OrderOutcome[]> {
  const outcomes: OrderOutcome[] = [];
  let rejection: RejectedError | undefined;
  // One iterator for all lanes: each takes the next order that none has taken.
  const left = orders.entries();
  const asked = new Set<string>();
  /** The wallet takes equal requests that wait for one, unless each has a key of its own. */
  const asOwn = (wanted: SubmitOrderParameters): SubmitOrderParameters => {
    const order = { ...wanted, account: wanted.account ?? account ?? client.account?.address };
    if (asked.size < asked.add(textOf(order)).size) return order;
    return { ...order, idempotencyKey: order.idempotencyKey ?? crypto.randomUUID() };
  };
  const lane = async () => {
    for (const [index, wanted] of left) {
      try {
        if (rejection) throw rejection;
        outcomes[index] = { order: await submitOrder(client, asOwn(wanted)), error: null };
      } catch (thrown) {
        const error = thrown instanceof RelayerActionError ? thrown : unreadable(thrown);
        if (error instanceof RejectedError) rejection = error;
        else if (error.code === 4001) rejection = new RejectedError('An earlier one was rejected.', {}, error);
        outcomes[index] = { order: null, error };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return outcomes;
}
