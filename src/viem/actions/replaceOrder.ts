import { askFor, type RelayerClient } from '../ask.ts';
import type { ReplaceOrderParameters } from '../generated/methods.ts';
import type { OrderSubmission } from '../submission.ts';

export type ReplaceOrderReturnType = OrderSubmission;

/**
 * Asks to replace an open order of this wallet: the new one takes its slot, and from the moment the relayer takes it the old one can
 * never fill. What the old one had filled stays. Opens the approval window. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`, `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.replaceOrder({
 *   replaces: order.hash,
 *   sellToken: { tokenId: 1, volume: parseEther('1000') },
 *   buyToken: { tokenId: 0, volume: parseEther('0.4') },
 * });
 */
export function replaceOrder(
  client: RelayerClient,
  parameters: ReplaceOrderParameters,
): Promise<ReplaceOrderReturnType> {
  return askFor(client, 'relayer_replaceOrder', parameters, true);
}
