import type { RelayerErrorName } from '../protocol/index.ts';

/**
 * Kind of failure.
 * - `bad-request`: the call was malformed; nothing was sent.
 * - `transport`: the relayer could not be reached, turned the request away for its rate (429), or
 *   failed without a word (5xx), or was overloaded when it was read (503).
 * - `timeout`: it did not answer in time.
 * - `refused`: it answered, and said no.
 * - `off-schema`: it answered something that the interface does not know.
 */
export type RelayerClientErrorKind = 'bad-request' | 'transport' | 'timeout' | 'refused' | 'off-schema';

/**
 * Knowledge about the request at the relayer. `not-sent`: it was not taken. `refused`: it was
 * definitely not carried out. `unknown`: it may have been.
 */
export type RequestOutcome = 'not-sent' | 'refused' | 'unknown';

export interface RelayerClientErrorDetails {
  readonly kind: RelayerClientErrorKind;
  readonly outcome: RequestOutcome;
  /** Name of the endpoint in the protocol's table; empty for an error of the configuration. */
  readonly endpoint: string;
  readonly httpStatus?: number | undefined;
  /** The relayer's code, also one that no table explains. */
  readonly relayerCode?: number | undefined;
  /** Name of the code in `relayerErrors`. */
  readonly relayerName?: RelayerErrorName | undefined;
  /** The relayer's own text: for debugging, not for users. At most 500 characters. */
  readonly relayerMessage?: string | undefined;
  /** Path of the field that was wrong, in the request or in the answer. */
  readonly field?: string | undefined;
  /** Too many requests wait in this client already: milliseconds until there can be room. */
  readonly queueFreeInMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * Every error of `client/`. Messages name endpoint, status and code; never a header, a key or a
 * signature.
 */
export class RelayerClientError extends Error {
  override readonly name = 'RelayerClientError';
  readonly kind: RelayerClientErrorKind;
  readonly outcome: RequestOutcome;
  readonly endpoint: string;
  readonly httpStatus: number | undefined;
  readonly relayerCode: number | undefined;
  readonly relayerName: RelayerErrorName | undefined;
  readonly relayerMessage: string | undefined;
  readonly field: string | undefined;
  readonly queueFreeInMs: number | undefined;

  constructor(message: string, details: RelayerClientErrorDetails) {
    super(message, details.cause == null ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.outcome = details.outcome;
    this.endpoint = details.endpoint;
    this.httpStatus = details.httpStatus;
    this.relayerCode = details.relayerCode;
    this.relayerName = details.relayerName;
    this.relayerMessage = details.relayerMessage;
    this.field = details.field;
    this.queueFreeInMs = details.queueFreeInMs;
  }
}
