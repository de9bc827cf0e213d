import { askFor, type RelayerClient } from '../ask.ts';
import type { SubmitOrderParameters } from '../generated/methods.ts';
import type { OrderSubmission } from '../submission.ts';

export type SubmitOrderReturnType = OrderSubmission;

/**
 * Asks for an order: limit, maker-only, taker-only, against a pool (`orderType: 'AMM'` with
 * `poolAddress`), or for one `taker` alone. Amounts are base units. Opens the approval window;
 * settles when the relayer has answered. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const order = await client.relayer.submitOrder({
 *   sellToken: { tokenId: 1, volume: parseEther('1000') },
 *   buyToken: { tokenId: 0, volume: parseEther('0.5') },
 * });
 */
export function submitOrder(client: RelayerClient, parameters: SubmitOrderParameters): Promise<SubmitOrderReturnType> {
  return askFor(client, 'relayer_submitOrder', parameters, true);
}
