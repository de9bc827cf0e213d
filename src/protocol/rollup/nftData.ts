import { nftDataHash } from '../payloads/nftData.ts';

const hex = (value: bigint, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`;

/** `nftData` of fields as blocks and proofs hold them. */
export function nftDataOf(nft: {
  readonly minter: bigint;
  readonly nftType: number;
  readonly token: bigint;
  readonly nftID: bigint;
  readonly creatorFeeBips: number;
}): bigint {
  return nftDataHash({
    minterAddress: hex(nft.minter, 40),
    nftType: nft.nftType,
    tokenAddress: hex(nft.token, 40),
    nftId: hex(nft.nftID, 64),
    creatorFeeBips: nft.creatorFeeBips,
  });
}
