import { nftDataHash } from '../payloads/nftData.ts';

const hex = (value: bigint, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`;

/** Preimage of `nftData`. All 0 for a fungible token. */
export interface ProvenNft {
  readonly minter: bigint;
  /** 0: ERC-1155, 1: ERC-721. */
  readonly nftType: number;
  readonly token: bigint;
  readonly nftID: bigint;
  readonly creatorFeeBips: number;
}

/** `nftData` of fields as blocks and proofs hold them. */
export function nftDataOf(nft: ProvenNft): bigint {
  return nftDataHash({
    minterAddress: hex(nft.minter, 40),
    nftType: nft.nftType,
    tokenAddress: hex(nft.token, 40),
    nftId: hex(nft.nftID, 64),
    creatorFeeBips: nft.creatorFeeBips,
  });
}
