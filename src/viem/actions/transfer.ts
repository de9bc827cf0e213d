import { askFor, type RelayerClient } from '../ask.ts';
import type { TransferParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type TransferReturnType = Submission;

/**
 * Asks to send tokens to another account of the exchange. Opens the approval window; settles when
 * the relayer has answered. Needs the permission *transfers*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const sent = await client.relayer.transfer({
 *   token: { tokenId: 1, volume: parseEther('5') },
 *   payeeAddr: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
 * });
 */
export function transfer(client: RelayerClient, parameters: TransferParameters): Promise<TransferReturnType> {
  return askFor(client, 'relayer_transfer', parameters, true);
}
