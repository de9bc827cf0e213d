import { askFor, type RelayerClient } from '../ask.ts';
import type { CancelOrderParameters } from '../generated/methods.ts';
import type { OrderSubmission } from '../submission.ts';

export type CancelOrderReturnType = OrderSubmission;

/**
 * Asks to cancel one order, named by `orderHash` or by `clientOrderId`; exactly one of them. Opens
 * the approval window; settles when the relayer has answered. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.cancelOrder({ orderHash: order.hash });
 */
export function cancelOrder(client: RelayerClient, parameters: CancelOrderParameters): Promise<CancelOrderReturnType> {
  return askFor(client, 'relayer_cancelOrder', parameters, true);
}
