import { poseidon } from '../../crypto/index.ts';
import { MAX_ROYALTY } from '../limits.ts';
import { PayloadError } from './payloadError.ts';
import { readAddress, readHex, readInteger } from './readFields.ts';

/** The royalty of an NFT: the same number under two names. */
export interface NftRoyalty {
  readonly creatorFeeBips?: number | undefined;
  readonly royaltyPercentage?: number | undefined;
}

/**
 * Fields that identify an NFT on L2. For NFTs deposited from L1 the circuit sets the contract as
 * minter and royalty 0.
 */
export interface NftIdentity extends NftRoyalty {
  readonly minterAddress: string;
  /** 0: ERC-1155, 1: ERC-721. */
  readonly nftType: number;
  readonly tokenAddress: string;
  /** uint256 as hex; leading zeros may be missing. */
  readonly nftId: string;
}

/**
 * The royalty of an NFT, named `creatorFeeBips` or `royaltyPercentage`; 0 when absent.
 * @throws {PayloadError} `rule` when both are there and differ.
 */
export function royaltyOf({ creatorFeeBips, royaltyPercentage }: NftRoyalty): number {
  if (creatorFeeBips !== undefined && royaltyPercentage !== undefined && creatorFeeBips !== royaltyPercentage)
    throw new PayloadError('rule', 'royaltyPercentage', 'differs from creatorFeeBips');
  return royaltyPercentage ?? creatorFeeBips ?? 0;
}

/**
 * `nftData`: Poseidon t=7 over minter, nftType, contract, low and high 128 bits of the NFT id,
 * royalty (unscaled).
 * @throws {PayloadError} A field is missing, mistyped or out of range.
 */
export function nftDataHash(nft: NftIdentity): bigint {
  const id = readHex(nft.nftId, 'nftId');
  const royalty = royaltyOf(nft);
  return poseidon(
    [
      readAddress(nft.minterAddress, 'minterAddress'),
      readInteger(nft.nftType, 'nftType', 1),
      readAddress(nft.tokenAddress, 'tokenAddress'),
      id & (2n ** 128n - 1n),
      id >> 128n,
      readInteger(royalty, nft.royaltyPercentage === undefined ? 'creatorFeeBips' : 'royaltyPercentage', MAX_ROYALTY),
    ],
    7,
  );
}
