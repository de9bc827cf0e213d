import { poseidon } from '../../crypto/index.ts';
import { type OnchainData, onchainDataHash } from './onchainData.ts';
import { readAddress, readAmount, readErc20TokenId, readUint32 } from './readFields.ts';

/** Members of the body of submitWithdrawal that `withdrawalHash` reads. */
export interface WithdrawalPayload extends OnchainData {
  readonly exchange: string;
  readonly accountId: number;
  readonly token: { readonly tokenId: number; readonly volume: string };
  readonly maxFee: { readonly tokenId: number; readonly volume: string };
  readonly validUntil: number;
  readonly storageId: number;
}

/**
 * Body fields that the EdDSA signature fixes. Not signed: fastWithdrawalMode, hashApproved, and
 * `owner`, which only the ECDSA signature binds.
 */
export const withdrawalBoundFields = [
  'exchange',
  'accountId',
  'token.tokenId',
  'token.volume',
  'maxFee.tokenId',
  'maxFee.volume',
  'minGas',
  'to',
  'extraData',
  'validUntil',
  'storageId',
] as const;

/**
 * Hash of a withdrawal: Poseidon t=10 over exchange, accountId, token, volume, fee token, fee,
 * `onchainDataHash`, validUntil, storageId.
 * @throws {PayloadError} A field is missing, mistyped or out of range; an NFT slot.
 */
export function withdrawalHash(withdrawal: WithdrawalPayload): bigint {
  return poseidon(
    [
      readAddress(withdrawal.exchange, 'exchange'),
      readUint32(withdrawal.accountId, 'accountId'),
      readErc20TokenId(withdrawal.token?.tokenId, 'token.tokenId'),
      readAmount(withdrawal.token?.volume, 'token.volume'),
      readErc20TokenId(withdrawal.maxFee?.tokenId, 'maxFee.tokenId'),
      readAmount(withdrawal.maxFee?.volume, 'maxFee.volume'),
      onchainDataHash(withdrawal),
      readUint32(withdrawal.validUntil, 'validUntil'),
      readUint32(withdrawal.storageId, 'storageId'),
    ],
    10,
  );
}
