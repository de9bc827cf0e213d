import { bytesToNumberBE } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { FIELD_PRIME } from '../crypto/index.ts';

/** A request whose `X-API-SIG` is an EdDSA signature. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Scheme and host exactly as used for the call; a trailing slash is ignored. */
  readonly baseUrl: string;
  /** Path without query, `/api/v3/…`. */
  readonly path: string;
  /** Query of GET and DELETE. Absent and empty parameters are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Body of POST and PUT, the exact text that is sent. */
  readonly bodyText?: string | undefined;
}

/**
 * Percent-encoding where only `A–Z a–z 0–9 - _ . ~` stay, and `*`, which running clients leave
 * plain in bodies.
 */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const encodeStrict = (text: string) => encode(text).replaceAll('*', '%2A');

/**
 * The query as it stands in the URL: sorted by name, without undefined and empty values, values
 * percent-encoded once.
 */
export function sortedQuery(query: SignedRequest['query'], encodeValue = encodeStrict): string {
  return Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${name}=${encodeValue(value)}`)
    .join('&');
}

function message(request: SignedRequest, encodedParameters: string): string {
  const url = request.baseUrl.replace(/\/+$/, '') + request.path;
  return `${request.method}&${encodeStrict(url)}&${encodedParameters}`;
}

const carriesBody = (request: SignedRequest) => request.method === 'POST' || request.method === 'PUT';

/**
 * The text whose hash `X-API-SIG` signs: method, encoded URL and encoded parameters, joined by `&`.
 * Query values are encoded before the whole is encoded again, as the published algorithm says.
 *
 * It covers no time, no nonce and no other header: whoever sees the header can repeat the request
 * until the account key changes.
 */
export function requestMessage(request: SignedRequest): string {
  return message(request, carriesBody(request) ? encode(request.bodyText ?? '') : encode(sortedQuery(request.query)));
}

/**
 * Every form of the message that clients in use sign, the documented one first. They differ for
 * query values outside `A–Z a–z 0–9 . _ - ,` (some clients encode once) and for bodies with `*`.
 * For verifiers only; a signer uses `requestMessage`.
 */
export function acceptedRequestMessages(request: SignedRequest): string[] {
  const others = carriesBody(request)
    ? [encodeStrict(request.bodyText ?? '')]
    : [encodeURIComponent(sortedQuery(request.query, (text) => text.replaceAll(',', '%2C')))];
  return [...new Set([requestMessage(request), ...others.map((parameters) => message(request, parameters))])];
}

/**
 * SHA-256 of the message as a big-endian integer, reduced modulo the field prime: what EdDSA signs.
 */
export function requestHash(message: string): bigint {
  return bytesToNumberBE(sha256(new TextEncoder().encode(message))) % FIELD_PRIME;
}

/**
 * Compact JSON with the top-level keys sorted ascending; nested objects keep their order. Sign and
 * send this very text.
 */
export function bodyText(body: object): string {
  const entries = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return JSON.stringify(Object.fromEntries(entries));
}
