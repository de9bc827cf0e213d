import { askFor, type RelayerClient } from '../ask.ts';
import type { SubmitOneOfParameters } from '../generated/methods.ts';
import type { OrderSubmission } from '../submission.ts';

export type SubmitOneOfReturnType = OrderSubmission;

/**
 * Asks for several orders, one of which is meant to fill. Each is signed only after the relayer
 * refused the one before or ended it with nothing filled. Once one has filled in part, the exchange
 * refuses those before it, but not those after it. Opens the approval window. Needs the permission
 * *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.submitOneOf({
 *   orders: [
 *     { sellToken, buyToken, orderType: 'TAKER_ONLY' },
 *     { sellToken, buyToken, orderType: 'MAKER_ONLY' },
 *   ],
 * });
 */
export function submitOneOf(client: RelayerClient, parameters: SubmitOneOfParameters): Promise<SubmitOneOfReturnType> {
  return askFor(client, 'relayer_submitOneOf', parameters, true);
}
