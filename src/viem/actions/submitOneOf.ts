import { askFor, type RelayerClient } from '../ask.ts';
import type { SubmitOneOfParameters } from '../generated/methods.ts';
import type { OrderSubmission } from '../submission.ts';

export type SubmitOneOfReturnType = OrderSubmission;

/**
 * Asks for several orders of which one can fill: each is signed only after the one before was refused or ended with nothing filled,
 * and makes those before void. Opens the approval window. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`, `RelayerRefusedError`, `OutcomeUnknownError`, …
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
