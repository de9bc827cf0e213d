import { poseidon } from '../../crypto/index.ts';
import { type OnchainData, onchainDataHash } from './onchainData.ts';
import { readAddress, readAmount, readErc20TokenId, readNftTokenId, readUint32 } from './readFields.ts';

/** Members of the body of withdrawNft that `nftWithdrawalHash` reads. */
export interface NftWithdrawalPayload extends OnchainData {
  readonly exchange: string;
  readonly accountId: number;
  readonly token: { readonly tokenId: number; readonly amount: string };
  readonly maxFee: { readonly tokenId: number; readonly amount: string };
  readonly validUntil: number;
  readonly storageId: number;
}

/**
 * Body fields that the EdDSA signature fixes. Not signed: `token.nftData` (the slot number is),
 * owner, hashApproved.
 */
export const nftWithdrawalBoundFields = [
  'exchange',
  'accountId',
  'token.tokenId',
  'token.amount',
  'maxFee.tokenId',
  'maxFee.amount',
  'minGas',
  'to',
  'extraData',
  'validUntil',
  'storageId',
] as const;

/**
 * Hash of an NFT withdrawal: the layout of `withdrawalHash`, with the account's NFT slot as token
 * id.
 * @throws {PayloadError} A field is missing, mistyped or out of range; no NFT slot.
 */
export function nftWithdrawalHash(withdrawal: NftWithdrawalPayload): bigint {
  return poseidon(
    [
      readAddress(withdrawal.exchange, 'exchange'),
      readUint32(withdrawal.accountId, 'accountId'),
      readNftTokenId(withdrawal.token?.tokenId, 'token.tokenId'),
      readAmount(withdrawal.token?.amount, 'token.amount'),
      readErc20TokenId(withdrawal.maxFee?.tokenId, 'maxFee.tokenId'),
      readAmount(withdrawal.maxFee?.amount, 'maxFee.amount'),
      onchainDataHash(withdrawal),
      readUint32(withdrawal.validUntil, 'validUntil'),
      readUint32(withdrawal.storageId, 'storageId'),
    ],
    10,
  );
}
