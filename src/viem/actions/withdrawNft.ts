import { askFor, type RelayerClient } from '../ask.ts';
import type { WithdrawNftParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type WithdrawNftReturnType = Submission;

/**
 * Asks to pay NFTs out to layer 1. Their contract has to be deployed there; `deployNft` does that.
 * Opens the approval window; settles when the relayer has answered. Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.withdrawNft({ token: { tokenId, nftData, amount: 1n } });
 */
export function withdrawNft(client: RelayerClient, parameters: WithdrawNftParameters): Promise<WithdrawNftReturnType> {
  return askFor(client, 'relayer_withdrawNft', parameters, true);
}
