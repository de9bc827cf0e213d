import { poseidon } from '../../crypto/index.ts';
import { readAddress, readAmount, readErc20TokenId, readNftTokenId, readReceiver, readUint32 } from './readFields.ts';

/** Members of the body of transferNft that `nftTransferHash` reads. */
export interface NftTransferPayload {
  readonly exchange: string;
  readonly fromAccountId: number;
  /** 0: the operator finds the account of `toAddress`. */
  readonly toAccountId: number;
  readonly toAddress: string;
  readonly token: { readonly tokenId: number; readonly amount: string };
  readonly maxFee: { readonly tokenId: number; readonly amount: string };
  readonly validUntil: number;
  readonly storageId: number;
}

/**
 * Body fields that the EdDSA signature fixes. Not signed: `token.nftData` (the slot number is),
 * memo, fromAddress.
 */
export const nftTransferBoundFields = [
  'exchange',
  'fromAccountId',
  'toAccountId',
  'token.tokenId',
  'token.amount',
  'maxFee.tokenId',
  'maxFee.amount',
  'toAddress',
  'validUntil',
  'storageId',
] as const;

/**
 * Hash of an NFT transfer: the layout of `transferHash`, with the sender's NFT slot as token id.
 * @throws {PayloadError} A field is missing, mistyped or out of range; the zero address as
 *   receiver; no NFT slot.
 */
export function nftTransferHash(transfer: NftTransferPayload): bigint {
  return poseidon(
    [
      readAddress(transfer.exchange, 'exchange'),
      readUint32(transfer.fromAccountId, 'fromAccountId'),
      readUint32(transfer.toAccountId, 'toAccountId'),
      readNftTokenId(transfer.token?.tokenId, 'token.tokenId'),
      readAmount(transfer.token?.amount, 'token.amount'),
      readErc20TokenId(transfer.maxFee?.tokenId, 'maxFee.tokenId'),
      readAmount(transfer.maxFee?.amount, 'maxFee.amount'),
      readReceiver(transfer.toAddress, 'toAddress'),
      0n,
      0n,
      readUint32(transfer.validUntil, 'validUntil'),
      readUint32(transfer.storageId, 'storageId'),
    ],
    13,
  );
}
