import { askFor, type RelayerClient } from '../ask.ts';
import type { SignedNftOrder, SignNftOrderParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export interface SignNftOrderReturnType extends Submission {
  /** The signed order, as the other side needs it. */
  readonly order: SignedNftOrder;
}

/**
 * Asks for a signed sale or purchase of an NFT, for the site that brings the two sides together.
 * With `validate` the relayer checks it first. Opens the approval window; settles when the relayer
 * has answered. Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const { order } = await client.relayer.signNftOrder({
 *   sellToken: { tokenId, nftData, amount: 1n },
 *   buyToken: { tokenId: 0, amount: parseEther('0.1') },
 * });
 */
export function signNftOrder(
  client: RelayerClient,
  parameters: SignNftOrderParameters,
): Promise<SignNftOrderReturnType> {
  return askFor(client, 'relayer_signNftOrder', parameters, true);
}
