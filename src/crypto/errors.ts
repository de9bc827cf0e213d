/** Error codes of `crypto/`, stable. */
export type CryptoErrorCode =
  | 'field-range'
  | 'secret-key-range'
  | 'input-count'
  | 'signature-format'
  | 'signer-wiped'
  | 'verifier-options'
  | 'self-check-failed';

/**
 * Every error of `crypto/`. The message names the input and its bound, never the value of a secret.
 */
export class CryptoError extends Error {
  override readonly name = 'CryptoError';
  readonly code: CryptoErrorCode;

  constructor(code: CryptoErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const secretKeyRange = () =>
  new CryptoError('secret-key-range', 'a secret key is 32 bytes, a number from 1 to the subgroup order − 1');

export const signatureDiscarded = () =>
  new CryptoError('self-check-failed', 'the new signature does not verify and was discarded');
