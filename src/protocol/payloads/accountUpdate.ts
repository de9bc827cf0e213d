import { poseidon } from '../../crypto/index.ts';
import { readAddress, readAmount, readErc20TokenId, readPublicKey, readUint32 } from './readFields.ts';

/** Members of the body of updateAccount that the account update hashes read. */
export interface AccountUpdatePayload {
  readonly exchange: string;
  readonly accountId: number;
  readonly publicKey: { readonly x: string; readonly y: string };
  readonly maxFee: { readonly tokenId: number; readonly volume: string };
  readonly validUntil: number;
  readonly nonce: number;
}

/**
 * Body fields that the EdDSA form fixes. The ECDSA form binds `owner` too. `keySeed` is bound by
 * neither.
 */
export const accountUpdateBoundFields = [
  'exchange',
  'accountId',
  'maxFee.tokenId',
  'maxFee.volume',
  'publicKey.x',
  'publicKey.y',
  'validUntil',
  'nonce',
] as const;

function inputs(update: AccountUpdatePayload): bigint[] {
  const { x, y } = readPublicKey(update.publicKey, 'publicKey');
  return [
    readAddress(update.exchange, 'exchange'),
    readUint32(update.accountId, 'accountId'),
    readErc20TokenId(update.maxFee?.tokenId, 'maxFee.tokenId'),
    readAmount(update.maxFee?.volume, 'maxFee.volume'),
    x,
    y,
    readUint32(update.validUntil, 'validUntil'),
    readUint32(update.nonce, 'nonce'),
  ];
}

/**
 * Hash of the EdDSA form of an account update, which the **old** key signs: Poseidon t=9 over
 * exchange, accountId, fee token, fee, new public key, validUntil, nonce. The usual form is ECDSA
 * over `accountUpdateTypedData`.
 * @throws {PayloadError} A field is missing, mistyped or out of range; a public key outside the
 *   prime subgroup.
 */
export function accountUpdateHash(update: AccountUpdatePayload): bigint {
  return poseidon(inputs(update), 9);
}

/**
 * The `hash` that a relayer returns for an account update: the same inputs at t=10. An identifier,
 * signed by nobody.
 * @throws {PayloadError}
 */
export function accountUpdateIdentifier(update: AccountUpdatePayload): bigint {
  return poseidon(inputs(update), 10);
}
