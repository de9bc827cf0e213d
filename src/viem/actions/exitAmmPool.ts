import { askFor, type RelayerClient } from '../ask.ts';
import type { ExitAmmPoolParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type ExitAmmPoolReturnType = Submission;

/**
 * Asks to burn LP tokens for the two tokens of a pool, at least `unPooled`. Opens the approval
 * window; settles when the relayer has answered. Needs the permission *pools*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.exitAmmPool({
 *   poolAddress,
 *   exitTokens: { burned, unPooled: [{ tokenId: 1, volume: leastLrc }, { tokenId: 0, volume: leastEth }] },
 * });
 */
export function exitAmmPool(client: RelayerClient, parameters: ExitAmmPoolParameters): Promise<ExitAmmPoolReturnType> {
  return askFor(client, 'relayer_exitAmmPool', parameters, true);
}
