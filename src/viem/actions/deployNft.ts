import type { Hex } from 'viem';
import { askFor, type RelayerClient } from '../ask.ts';
import type { DeployNftParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export interface DeployNftReturnType extends Submission {
  /**
   * L1 transaction of the deployment; `null` when the relayer does not name it, absent with
   * `awaiting-approval`.
   */
  readonly txHash?: string | null;
  /** Contract that is deployed; absent with `awaiting-approval`. */
  readonly tokenAddress?: Hex;
}

/**
 * Asks to pay the relayer's broker for deploying the contract of an NFT on layer 1. It ends when
 * the contract has code there. Opens the approval window; settles when the relayer has answered.
 * Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * await client.relayer.deployNft({ nftData, tokenAddress });
 */
export function deployNft(client: RelayerClient, parameters: DeployNftParameters): Promise<DeployNftReturnType> {
  return askFor(client, 'relayer_deployNft', parameters, true);
}
