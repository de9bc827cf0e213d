import { askFor, type RelayerClient } from '../ask.ts';
import type { TransferNftParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export type TransferNftReturnType = Submission;

/**
 * Asks to send NFTs to another account of the exchange. The signature names the slot; the wallet
 * checks what lies in it. Opens the approval window; settles when the relayer has answered. Needs
 * the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.transferNft({ token: { tokenId, nftData, amount: 1n }, toAddress });
 */
export function transferNft(client: RelayerClient, parameters: TransferNftParameters): Promise<TransferNftReturnType> {
  return askFor(client, 'relayer_transferNft', parameters, true);
}
