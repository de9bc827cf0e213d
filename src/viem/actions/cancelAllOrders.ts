import { askFor, type RelayerClient } from '../ask.ts';
import type { CancelAllOrdersParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type CancelAllOrdersReturnType = Submission;

/**
 * Asks to cancel the open orders that this site has placed with the wallet, at most 50 at once. Orders of other sites stay. Opens the approval window; settles when the
 * relayer has answered. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`, `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.cancelAllOrders();
 */
export function cancelAllOrders(
  client: RelayerClient,
  parameters: CancelAllOrdersParameters = {},
): Promise<CancelAllOrdersReturnType> {
  return askFor(client, 'relayer_cancelAllOrders', parameters, true);
}
