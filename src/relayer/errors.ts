import { type RelayerErrorName, relayerErrors } from '../protocol/errors.ts';

/**
 * A request that the relayer rejects. Becomes `{resultInfo: {code, message}}` with `status`; the
 * message names the field or fact and never a secret.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly reason: RelayerErrorName;
  /**
   * HTTP status; 400 for every application refusal, 404 for an unknown path, 429 and 413 for
   * transport limits, 503 for overload and for trouble of the database, whatever the code.
   */
  readonly status: 400 | 404 | 413 | 429 | 503;

  constructor(
    reason: RelayerErrorName,
    message: string = relayerErrors[reason].meaning,
    status: Refusal['status'] = 400,
  ) {
    super(message);
    this.reason = reason;
    this.status = status;
  }

  /** `resultInfo.code` on the wire. */
  get code(): number {
    return relayerErrors[this.reason].code;
  }
}
