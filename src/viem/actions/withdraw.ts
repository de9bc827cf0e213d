import { askFor, type RelayerClient } from '../ask.ts';
import type { WithdrawParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type WithdrawReturnType = Submission;

/**
 * Asks to pay tokens out to layer 1; to the owner unless `to` is given. Opens the approval window;
 * settles when the relayer has answered. Needs the permission *withdrawals*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.withdraw({ token: { tokenId: 1, volume: parseEther('100') } });
 */
export function withdraw(client: RelayerClient, parameters: WithdrawParameters): Promise<WithdrawReturnType> {
  return askFor(client, 'relayer_withdraw', parameters, true);
}
