import {
  API_KEY_HEADER,
  API_SIGNATURE_HEADER,
  bodyText as bodyTextOf,
  type Endpoint,
  sortedQuery,
} from '../protocol/index.ts';
import { parseJson } from '../protocol/parseJson.ts';
import type { z } from '../protocol/zod.ts';
import { RelayerClientError } from './errors.ts';

type QueryValue = string | number | boolean | undefined;

/** Parts of a call before they are checked. */
export interface RequestInput {
  readonly query?: unknown;
  readonly body?: unknown;
  /** The exact bytes to send, from the journal; wins over `body`. */
  readonly bodyText?: string | undefined;
  /** Sent only where the endpoint takes one. */
  readonly apiKey?: string | undefined;
  /** Value of `X-API-SIG`; sent only where the endpoint takes one. */
  readonly signature?: string | undefined;
}

export interface HttpRequest {
  readonly url: string;
  readonly method: Endpoint['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * Header values are checked here: `fetch` would quote a bad one, and with it a key, in its error.
 */
const headerValue = /^[\x21-\x7e]{1,4096}$/;

/**
 * Checks a call against the endpoint's schemas and writes the HTTP request.
 * @throws {RelayerClientError} `bad-request` with the path of the first wrong field; nothing was
 *   sent.
 */
export function buildRequest(baseUrl: string, endpoint: Endpoint, input: RequestInput): HttpRequest {
  const query = (input.query ?? {}) as Record<string, QueryValue>;
  check(endpoint, 'query', endpoint.query, query);
  const body = bodyOf(endpoint, input);

  const headers: Record<string, string> = { Accept: 'application/json', feeVersion: 'v2', pf: 'web' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const secrets = [
    ['apiKey', API_KEY_HEADER, endpoint.apiKey === 'required', endpoint.apiKey !== 'none'],
    // Smart wallets put an approved hash into the body in the place of an ECDSA header.
    ['signature', API_SIGNATURE_HEADER, endpoint.signature === 'eddsa', endpoint.signature !== 'none'],
  ] as const;
  for (const [name, header, required, used] of secrets) {
    const value = input[name];
    if (!used || (value === undefined && !required)) continue;
    if (value === undefined) throw badRequest(endpoint, name, 'is missing');
    if (!headerValue.test(value)) throw badRequest(endpoint, name, 'cannot be sent in a header');
    headers[header] = value;
  }

  const text = sortedQuery(query);
  return { url: `${baseUrl}${endpoint.path}${text && `?${text}`}`, method: endpoint.method, headers, body };
}

function bodyOf(endpoint: Endpoint, { body, bodyText }: RequestInput): string | undefined {
  if (bodyText === undefined) {
    check(endpoint, 'body', endpoint.body, body);
    return body === undefined ? undefined : bodyTextOf(body as object);
  }
  const parsed = parseJson(bodyText);
  if (parsed === undefined) throw badRequest(endpoint, 'bodyText', 'is no JSON');
  check(endpoint, 'body', endpoint.body, parsed);
  return bodyText;
}

function check(endpoint: Endpoint, part: string, schema: z.ZodMiniType, value: unknown): void {
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  const issue = parsed.error.issues[0];
  throw badRequest(endpoint, [part, ...(issue?.path ?? [])].map(String).join('.'), `is wrong: ${issue?.message}`);
}

function badRequest(endpoint: Endpoint, field: string, what: string): RelayerClientError {
  return new RelayerClientError(`${endpoint.name}: ${field} ${what}`, {
    kind: 'bad-request',
    outcome: 'not-sent',
    endpoint: endpoint.name,
    field,
  });
}
