import type { RelayerClientError } from '../../client/index.ts';
import type { ProviderErrorShape } from '../../inpage/protocol.ts';
import { report } from '../../report/report.ts';

/** Codes of EIP-1193, EIP-1474 and JSON-RPC, each with the case in which this wallet sends it. */
export const rpcCodes = {
  /** The user said no, or closed the approval request. */
  rejected: 4001,
  /** The origin has no grant for this. */
  unauthorized: 4100,
  /** The method does not exist here. */
  unsupported: 4200,
  /** No account of this wallet is on that chain (EIP-3326). */
  unknownChain: 4902,
  /** The relayer cannot be reached, or what it said cannot be trusted. */
  disconnected: 4900,
  invalidRequest: -32600,
  /** A field of `params` is wrong; the message names it. */
  invalidParams: -32602,
  internal: -32603,
  /** The relayer refused; `data.code` and `data.name` are the relayer's. */
  refused: -32003,
  /** Too many requests, or a cool-down after rejections. */
  limitExceeded: -32005,
} as const;

/**
 * Why an origin may not do something, `data.reason` of a 4100: a stable word that pages can act on.
 */
export type UnauthorizedReason =
  | 'locked'
  | 'notConnected'
  | 'noPermission'
  | 'otherAccount'
  /** The user has blocked the site. */
  | 'blocked'
  /** The permission, or the account, was taken away while the request waited. */
  | 'revoked'
  /** A frame, an opaque origin, or no web page at all. */
  | 'unsupportedDocument';

/** @param permission - EIP-2255 name of what is missing. */
export const unauthorized = (reason: UnauthorizedReason, message: string, permission?: string): RpcError =>
  new RpcError('unauthorized', message, { reason, ...(permission === undefined ? {} : { permission }) });

export const notConnected = (): RpcError =>
  unauthorized('notConnected', 'This site is not connected. Call eth_requestAccounts first.');

/** @param requestId - Number of the request that the key names, which may have been carried out. */
export const keyReused = (message: string, requestId: string): RpcError =>
  new RpcError('invalidParams', `idempotencyKey: ${message}`, { reason: 'keyReused', requestId, status: 'unknown' });

/** An answer to a page that is not a result. `data` is sent as it is and never holds a secret. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(kind: keyof typeof rpcCodes, message: string, data?: unknown) {
    super(message);
    this.code = rpcCodes[kind];
    this.data = data;
  }
}

/** What an `RpcError` tells a page of a relayer's failure at which nothing was sent. */
export function relayerFailure({
  kind,
  relayerCode: code,
  relayerName,
  queueFreeInMs: retryAfterMs,
}: RelayerClientError): [kind: keyof typeof rpcCodes, message: string, data?: object] {
  if (retryAfterMs !== undefined)
    return [
      'limitExceeded',
      'Too many reads of this kind wait for the relayer already.',
      { reason: 'queueFull', retryAfterMs },
    ];
  if (kind !== 'refused' && kind !== 'off-schema') return ['disconnected', 'The relayer could not be reached.'];
  const name = relayerName ?? 'UNLISTED';
  return code === undefined
    ? ['disconnected', 'The relayer did not answer in a form that can be used.']
    : ['refused', `The relayer refused: ${name}.`, { code, name }];
}

/**
 * As it crosses to the page; anything unforeseen becomes -32603 without inner detail.
 * @param requestId - The page's own id of the request, by which it can ask for the outcome of one
 *   that failed.
 */
export function toProviderError(error: unknown, requestId?: string): ProviderErrorShape {
  if (!(error instanceof RpcError)) {
    report('page: a request', error);
    return {
      code: rpcCodes.internal,
      message: 'Internal error.',
      ...(requestId === undefined ? {} : { data: { status: 'unknown', requestId } }),
    };
  }
  const { code, message, data } = error;
  return data === undefined ? { code, message } : { code, message, data };
}

export const errorAnswer = (error: RpcError): { readonly error: ProviderErrorShape } => ({
  error: toProviderError(error),
});
