import { BaseError } from 'viem';
import type { RelayerErrorName, SubmissionStatus } from './generated/statuses.ts';

/**
 * Outcome of a failed request.
 * - `not-sent`: nothing was signed and nothing left the wallet.
 * - `refused`: the relayer said no. It can still carry out what was signed until `validUntil`; the
 *   wallet keeps polling.
 * - `unknown`: it was signed and may have arrived, or can still be carried out. Asking anew could
 *   do it twice; follow `requestId` instead.
 * - `expired`: it was signed, never arrived, and cannot be carried out any more.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown' | 'expired';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Root of what the actions throw. `cause` is viem's error with the wallet's own below it. */
export class RelayerActionError extends BaseError {
  /** Code of EIP-1193 or JSON-RPC. */
  readonly code: number;
  readonly outcome: Outcome;

  constructor(message: string, name: string, code: number, outcome: Outcome, cause?: unknown) {
    super(message, { name, cause: cause as Error });
    this.code = code;
    this.outcome = outcome;
  }
}

/**
 * 4001: the user rejected the request, closed its window, or the site took it back (`withdrawn`).
 */
export class RejectedError extends RelayerActionError {
  readonly withdrawn: boolean;
  /**
   * `unavailable`: the wallet could not prepare the request, such as without the relayer, and the
   * user closed it. `pageLeft`: its page was left before the decision. `null` otherwise.
   */
  readonly reason: 'unavailable' | 'pageLeft' | null;

  constructor(message: string, data: { status?: unknown; reason?: unknown } = {}, cause?: unknown) {
    super(message, 'RejectedError', 4001, 'not-sent', cause);
    this.withdrawn = data.status === 'withdrawn';
    this.reason = textOrNull(data.reason) as RejectedError['reason'];
  }
}

/**
 * 4100: the site is not connected, lacks the permission, or reads while the wallet is locked;
 * `reason` tells which. A site that is `blocked` is not told whether anything was signed before, so
 * that the outcome is `unknown`.
 */
export class UnauthorizedError extends RelayerActionError {
  /** `null` when the wallet gives none, as another one may. */
  readonly reason:
    | 'locked'
    | 'notConnected'
    | 'noPermission'
    | 'otherAccount'
    | 'blocked'
    | 'revoked'
    | 'unsupportedDocument'
    | null;
  /**
   * Of `noPermission`: the name to ask for with `wallet_requestPermissions`, such as
   * `relayer_transfers`.
   */
  readonly permission: string | null;

  constructor(message: string, data: { reason?: unknown; permission?: unknown } = {}, cause?: unknown) {
    const outcome = data.reason === 'blocked' ? 'unknown' : 'not-sent';
    super(message, 'UnauthorizedError', 4100, outcome, cause);
    this.reason = textOrNull(data.reason) as UnauthorizedError['reason'];
    this.permission = textOrNull(data.permission);
  }
}

/**
 * 4200, also where another wallet says -32601 or -32004: the wallet has no such method;
 * `wallet_getCapabilities` names those that it has.
 */
export class UnsupportedError extends RelayerActionError {
  constructor(message: string, cause?: unknown) {
    super(message, 'UnsupportedError', 4200, 'not-sent', cause);
  }
}

/** -32602: a parameter breaks a rule. */
export class ParameterError extends RelayerActionError {
  /** Path of the parameter, such as `sellToken.volume`; empty when the wallet names none. */
  readonly field: string;
  /** Rule that it breaks, such as `is zero`. */
  readonly rule: string;

  constructor(message: string, cause?: unknown) {
    super(message, 'ParameterError', -32602, 'not-sent', cause);
    const [, field = '', rule = message] = /^([\w.]+): ([\s\S]*)$/.exec(message) ?? [];
    this.field = field;
    this.rule = rule;
  }
}

/** -32003: the relayer refused. */
export class RelayerRefusedError extends RelayerActionError {
  /** The relayer's own code, a number of six digits; `null` when it gave none. */
  readonly relayerCode: number | null;
  /**
   * Its name in the interface document, such as `BALANCE_INSUFFICIENT`; `UNLISTED` for a code
   * without one.
   */
  readonly relayerName: RelayerErrorName | (string & Record<never, never>);
  /** The wallet's number of the request; `null` for reads. */
  readonly requestId: string | null;
  /**
   * Until when the relayer can still carry out what it refused, Unix seconds; `null` where nothing
   * was signed.
   */
  readonly validUntil: number | null;

  constructor(
    message: string,
    data: { code?: unknown; name?: unknown; requestId?: unknown; validUntil?: unknown },
    cause?: unknown,
  ) {
    super(message, 'RelayerRefusedError', -32003, 'refused', cause);
    this.relayerCode = numberOrNull(data.code);
    this.relayerName = textOrNull(data.name) ?? 'UNLISTED';
    this.requestId = textOrNull(data.requestId);
    this.validUntil = numberOrNull(data.validUntil);
  }
}

/**
 * The request may be carried out: the relayer has not answered what was signed, or the wallet
 * failed, was updated or was switched off while the request waited. Or it ended, with any code,
 * after the relayer had refused an earlier signature of it that is still valid; the request then
 * has the status `refused`. Or the `idempotencyKey` names an earlier request with other parameters
 * (`keyReused`), and no second one was made. `getRequest` and `watchSubmission` with `requestId`
 * tell what became of it. The same parameters with `idempotencyKey: requestId` join this request
 * instead of making a second one.
 */
export class OutcomeUnknownError extends RelayerActionError {
  readonly requestId: string;
  /**
   * `null` when it is not known whether it was signed, and after a refusal; `getRequest` tells it.
   */
  readonly hash: string | null;
  /**
   * `walletReplaced`: the extension was updated, reloaded or switched off, and this page has to be
   * reloaded. `keyReused`: `requestId` is the request that has the key. Others as `code` has them.
   */
  readonly reason: string | null;
  /** When it can happen no more, Unix seconds; `null` when that is not known. */
  readonly validUntil: number | null;

  constructor(
    message: string,
    { code, data, cause }: { code: number; data: Readonly<Record<string, unknown>>; cause?: unknown },
  ) {
    super(message, 'OutcomeUnknownError', code, 'unknown', cause);
    this.requestId = String(data.requestId);
    this.hash = textOrNull(data.hash);
    this.reason = textOrNull(data.reason);
    this.validUntil = numberOrNull(data.validUntil);
  }
}

/**
 * 4900 where nothing was signed, or what was signed never left the wallet: the relayer cannot be
 * reached or its answer cannot be used, or what was shown has changed. Asking again later is safe.
 */
export class RelayerUnavailableError extends RelayerActionError {
  /**
   * `walletReplaced`: the extension was updated, reloaded or switched off, and no request works
   * before this page is reloaded.
   */
  readonly reason: string | null;

  constructor(message: string, data: { reason?: unknown } = {}, cause?: unknown) {
    super(message, 'RelayerUnavailableError', 4900, 'not-sent', cause);
    this.reason = textOrNull(data.reason);
  }
}

/**
 * 4900 after a signature: the request expired before the relayer had it. Asking again is safe, with
 * another `idempotencyKey` than before.
 */
export class RequestExpiredError extends RelayerActionError {
  readonly requestId: string;

  constructor(message: string, data: Readonly<Record<string, unknown>>, cause?: unknown) {
    super(message, 'RequestExpiredError', 4900, 'expired', cause);
    this.requestId = data.requestId as string;
  }
}

/**
 * -32005: too many requests wait for the user or for the relayer, the site asks too fast, it pauses
 * because the user rejected several, or it has too many subscriptions. `message` says which.
 */
export class LimitExceededError extends RelayerActionError {
  /**
   * `queueFull`: reads queue for the relayer. `subscriptions`: the site has too many. `null` for
   * the other limits.
   */
  readonly reason: string | null;
  /**
   * Milliseconds after which the wallet's queue for the relayer can have room; `null` for the other
   * limits.
   */
  readonly retryAfterMs: number | null;

  constructor(message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, 'LimitExceededError', -32005, 'not-sent', cause);
    this.reason = textOrNull(data.reason);
    this.retryAfterMs = numberOrNull(data.retryAfterMs);
  }
}

/**
 * `waitForSubmission` has waited long enough. The request goes on: follow `requestId`, and do not
 * ask for the same anew.
 */
export class WaitTimeoutError extends RelayerActionError {
  readonly requestId: string;
  /** The last status that was told; `null` when the wallet has told none. */
  readonly status: SubmissionStatus | null;

  constructor({ requestId, status, timeout }: { requestId: string; status: SubmissionStatus | null; timeout: number }) {
    const message = `No final status after ${timeout} ms, last ${status}.`;
    super(message, 'WaitTimeoutError', -32002, 'unknown');
    this.requestId = requestId;
    this.status = status;
  }
}

/** Errors of an action that asks for no signature. */
export type ReadErrorType =
  | LimitExceededError
  | ParameterError
  | RelayerActionError
  | RelayerRefusedError
  | RelayerUnavailableError
  | UnauthorizedError
  | UnsupportedError;

/** Errors of an action that the user has to approve. */
export type ApprovalErrorType = OutcomeUnknownError | ReadErrorType | RejectedError | RequestExpiredError;

interface WalletError {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Finds a wallet's rejection: the innermost object that carries a numeric code. An error without
 * one is -32603.
 */
function walletError(error: unknown): WalletError {
  type Link = { readonly [Field in keyof WalletError | 'cause']?: unknown } | null | undefined;
  const outer = error as Link;
  let found: WalletError = { code: -32603, message: String(outer?.message ?? error), data: {} };
  for (let current = outer; current; current = current.cause as Link) {
    const { code, message, data } = current;
    if (typeof code === 'number') found = { code, message: String(message ?? ''), data: Object(data) };
  }
  return found;
}

/**
 * The error of a request in the words of this package.
 * @param signs - Whether the request asks for a signature: only then an inner failure leaves the
 *   outcome open.
 */
export function toActionError(error: unknown, signs: boolean): RelayerActionError {
  const { code, message, data } = walletError(error);
  // Other codes than that of a refusal end a request of which an earlier signature was refused, and
  // can still be carried out.
  const isOpen = data.status === 'unknown' || (data.status === 'refused' && code !== -32003);
  if (signs && isOpen && typeof data.requestId === 'string')
    return new OutcomeUnknownError(message, { code, data, cause: error });
  switch (code) {
    case 4001:
      return new RejectedError(message, data, error);
    case 4100:
      return new UnauthorizedError(message, data, error);
    case 4200:
    case -32601:
    case -32004:
      return new UnsupportedError(message, error);
    case -32602:
      return new ParameterError(message, error);
    case -32003:
      return new RelayerRefusedError(message, data, error);
    case -32005:
      return new LimitExceededError(message, data, error);
    case 4900:
      if (data.status === 'expired') return new RequestExpiredError(message, data, error);
      return new RelayerUnavailableError(message, data, error);
  }
  const outcome = signs && data.status !== 'not-signed' ? 'unknown' : 'not-sent';
  return new RelayerActionError(message, 'RelayerActionError', code, outcome, error);
}
