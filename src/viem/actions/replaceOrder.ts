import { askFor, type RelayerClient } from '../ask.ts';
import type { ReplaceOrderParameters } from '../generated/methods.ts';
import type { OrderSubmission } from '../submission.ts';

export type ReplaceOrderReturnType = OrderSubmission;

/**
 * Asks to replace an open order of this wallet. The new one takes its slot, and the relayer ends
 * the old one when it takes the new one. The exchange refuses the old one once the new one has
 * filled in part; until then a dishonest relayer could fill both, which `hardCancel` excludes. What
 * the old one had filled stays. Opens the approval window. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
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
