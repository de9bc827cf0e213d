import type { Hex } from 'viem';
import { askFor, type RelayerClient } from '../ask.ts';
import type { MintNftParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export interface MintNftReturnType extends Submission {
  /** L2 identifier of the NFT. */
  readonly nftData: Hex;
  /** Slot of the account that it lies in; `null` while the relayer has not said. */
  readonly nftTokenId: number | null;
}

/**
 * Asks to mint NFTs of an IPFS name (`cid`) or its digest (`nftId`). Opens the approval window;
 * settles when the relayer has answered. Needs the permission *nfts*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`,
 *   `RelayerRefusedError`, `OutcomeUnknownError`, …
 * @example
 * const minted = await client.relayer.mintNft({ cid: 'QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR', amount: 5n });
 */
export function mintNft(client: RelayerClient, parameters: MintNftParameters): Promise<MintNftReturnType> {
  return askFor(client, 'relayer_mintNft', parameters, true);
}
