import { poseidon } from '../../crypto/index.ts';
import { readAddress, readAmount, readErc20TokenId, readReceiver, readUint32 } from './readFields.ts';

/**
 * Members of a transfer body that `transferHash` reads, also of the fee transfer inside a
 * deployment.
 */
export interface TransferPayload {
  readonly exchange: string;
  readonly payerId: number;
  /** 0: the operator finds the account of `payeeAddr`. */
  readonly payeeId: number;
  readonly payeeAddr: string;
  readonly token: { readonly tokenId: number; readonly volume: string };
  readonly maxFee: { readonly tokenId: number; readonly volume: string };
  readonly validUntil: number;
  readonly storageId: number;
}

/**
 * Body fields that the EdDSA signature of a transfer fixes. Not signed: memo, clientId,
 * payPayeeUpdateAccount, and `payerAddr`, which only the ECDSA signature binds.
 */
export const transferBoundFields = [
  'exchange',
  'payerId',
  'payeeId',
  'token.tokenId',
  'token.volume',
  'maxFee.tokenId',
  'maxFee.volume',
  'payeeAddr',
  'validUntil',
  'storageId',
] as const;

/**
 * Hash of an ERC-20 transfer: Poseidon t=13 over exchange, payerId, payeeId, token, volume, fee
 * token, fee, payeeAddr, 0, 0 (a second signer that the interface does not use), validUntil,
 * storageId.
 * @throws {PayloadError} A field is missing, mistyped or out of range; the zero address as payee;
 *   an NFT slot.
 */
export function transferHash(transfer: TransferPayload): bigint {
  return poseidon(
    [
      readAddress(transfer.exchange, 'exchange'),
      readUint32(transfer.payerId, 'payerId'),
      readUint32(transfer.payeeId, 'payeeId'),
      readErc20TokenId(transfer.token?.tokenId, 'token.tokenId'),
      readAmount(transfer.token?.volume, 'token.volume'),
      readErc20TokenId(transfer.maxFee?.tokenId, 'maxFee.tokenId'),
      readAmount(transfer.maxFee?.volume, 'maxFee.volume'),
      readReceiver(transfer.payeeAddr, 'payeeAddr'),
      0n,
      0n,
      readUint32(transfer.validUntil, 'validUntil'),
      readUint32(transfer.storageId, 'storageId'),
    ],
    13,
  );
}
