import { askFor, type RelayerClient } from '../ask.ts';
import type { HardCancelParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type HardCancelReturnType = Submission;

/**
 * Asks to end an order of this wallet for good: the least amount that the exchange takes is traded
 * in its slot, after which no proof with the old order can exist. Costs that little trade and its
 * fee. Opens the approval window. Needs the permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.hardCancel({ orderHash: order.hash });
 */
export function hardCancel(client: RelayerClient, parameters: HardCancelParameters): Promise<HardCancelReturnType> {
  return askFor(client, 'relayer_hardCancel', parameters, true);
}
