/**
 * Fault of a request that is to be hashed: `missing`, `type` (not the JSON type that the field
 * has), `format` (a text that does not parse), `range` (outside the circuit's width), `rule`
 * (fields that contradict each other or the protocol).
 */
export type PayloadErrorCode = 'missing' | 'type' | 'format' | 'range' | 'rule';

/** A request cannot be hashed. Nothing is reduced or guessed: each field is refused by its path. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError';
  readonly code: PayloadErrorCode;
  /** Path of the field in the request, such as `sellToken.volume`. */
  readonly field: string;

  constructor(code: PayloadErrorCode, field: string, message: string) {
    super(`${field} ${message}`);
    this.code = code;
    this.field = field;
  }
}
