/** Error codes of the vault, stable. */
export type VaultErrorCode =
  /** The password does not open this vault. Nothing was changed. */
  | 'wrong-password'
  /** The passkey does not open this vault. Nothing was changed. */
  | 'wrong-passkey'
  /** No password was given yet, or the lock deadline has passed. */
  | 'locked'
  /** There is no vault. */
  | 'missing'
  /** A vault exists already. */
  | 'exists'
  /** The vault, or a backup file, is damaged or was exchanged, and no good copy is left. */
  | 'corrupt'
  /** One secret is damaged, or was exchanged; the others are as they were. */
  | 'damaged'
  /** What was given is no key file. */
  | 'bad-file'
  /** The header asks for a key derivation that is too cheap to protect or too dear to run. */
  | 'kdf-bounds'
  /** Written by a newer version, or by one that is no longer read. */
  | 'unsupported-version'
  /** The change would leave nothing where secrets were. */
  | 'empty-overwrite'
  /** No secret has this id. */
  | 'not-found'
  /** A parameter has the wrong shape. */
  | 'bad-input'
  /** The disk or the quota is full. */
  | 'storage-full'
  /** Any other failure of a store. */
  | 'storage';

/**
 * Every error of `vault/`. Messages never carry a secret, a password or a stored value; without
 * one, the code says everything.
 */
export class VaultError extends Error {
  override readonly name = 'VaultError';
  readonly code: VaultErrorCode;

  constructor(code: VaultErrorCode, message = `vault: ${code}`, options?: { cause?: unknown }) {
    super(message, options?.cause == null ? undefined : options);
    this.code = code;
  }
}
