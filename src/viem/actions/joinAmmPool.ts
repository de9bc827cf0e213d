import { askFor, type RelayerClient } from '../ask.ts';
import type { JoinAmmPoolParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type JoinAmmPoolReturnType = Submission;

/**
 * Asks to put the two tokens of a pool into it, for at least `minimumLp` of its LP tokens. Opens
 * the approval window; settles when the relayer has answered. Needs the permission *pools*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.joinAmmPool({
 *   poolAddress,
 *   joinTokens: {
 *     pooled: [{ tokenId: 1, volume: parseUnits('1500', 18) }, { tokenId: 0, volume: parseEther('0.1') }],
 *     minimumLp: { tokenId: 100, volume: parseUnits('1490', 18) },
 *   },
 * });
 */
export function joinAmmPool(client: RelayerClient, parameters: JoinAmmPoolParameters): Promise<JoinAmmPoolReturnType> {
  return askFor(client, 'relayer_joinAmmPool', parameters, true);
}
