import { poseidon } from '../../crypto/index.ts';
import { type NftIdentity, nftDataHash } from './nftData.ts';
import { PayloadError } from './payloadError.ts';
import { readAddress, readAmount, readErc20TokenId, readUint32 } from './readFields.ts';

/** Members of the body of mintNft that `nftMintHash` reads. */
export interface NftMintPayload extends NftIdentity {
  readonly exchange: string;
  readonly minterId: number;
  readonly toAccountId: number;
  readonly amount: string;
  readonly maxFee: { readonly tokenId: number; readonly amount: string };
  readonly validUntil: number;
  readonly storageId: number;
}

/**
 * Body fields that the signature fixes. Not signed: toAddress, forceToMint, counterFactualNftInfo,
 * royaltyAddress.
 */
export const nftMintBoundFields = [
  'exchange',
  'minterId',
  'minterAddress',
  'toAccountId',
  'nftType',
  'tokenAddress',
  'nftId',
  'creatorFeeBips',
  'royaltyPercentage',
  'amount',
  'maxFee.tokenId',
  'maxFee.amount',
  'validUntil',
  'storageId',
] as const;

/**
 * Hash of a mint: Poseidon t=10 over exchange, minterId, toAccountId, nftData, amount, fee token,
 * fee, validUntil, storageId (of the fee token's counter). `nftData` is computed from the mint's
 * own fields and never taken from a server. An EdDSA-signed mint goes to the minter itself; the
 * endpoint's schema demands it.
 * @throws {PayloadError}
 */
export function nftMintHash(mint: NftMintPayload): bigint {
  if (readAddress(mint.minterAddress, 'minterAddress') === readAddress(mint.tokenAddress, 'tokenAddress'))
    throw new PayloadError('rule', 'tokenAddress', 'is the minter, which only NFTs deposited from L1 have');
  return poseidon(
    [
      readAddress(mint.exchange, 'exchange'),
      readUint32(mint.minterId, 'minterId'),
      readUint32(mint.toAccountId, 'toAccountId'),
      nftDataHash(mint),
      readAmount(mint.amount, 'amount', 1n),
      readErc20TokenId(mint.maxFee?.tokenId, 'maxFee.tokenId'),
      readAmount(mint.maxFee?.amount, 'maxFee.amount'),
      readUint32(mint.validUntil, 'validUntil'),
      readUint32(mint.storageId, 'storageId'),
    ],
    10,
  );
}
