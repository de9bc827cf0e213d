import { type Endpoint, relayerErrorNamed, relayerErrors } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { parseJson } from '../protocol/parseJson.ts';
import { z } from '../protocol/zod.ts';
import { RelayerClientError, type RelayerClientErrorDetails } from './errors.ts';
import { readBytes } from './readBytes.ts';

/**
 * Longest answer that is read, in bytes after decompression. The longest real one, a token list,
 * has some hundred kB.
 */
const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Objects and lists around a value of an answer; an honest one has at most a dozen. What walks over
 * an answer later, such as a schema or a clone, calls itself for each.
 */
const MAX_DEPTH = 32;

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1)));

/**
 * A fill that a JavaScript number cannot hold; such a member cannot stand inside of a JSON text,
 * where quotes are escaped.
 */
const LARGE_FILL = /"fillS":\s*(\d{16,})/g;

/** Statuses by which a server or proxy turns a request away before its handler sees it. */
const turnedAway = new Set([401, 403, 404, 405, 413, 414, 415, 431]);

const code = once(() => z.union([z.int(), z.pipe(z.stringFormat('digits', /^\d{1,9}$/), z.transform(Number))]));
const text = once(() => z.catch(z.optional(z.string()), undefined));
const resultInfo = once(() =>
  z.looseObject({ resultInfo: z.looseObject({ code: code(), message: text(), msg: text() }) }),
);
/** One page of the real relayer's documentation shows errors in this form. */
const flatError = once(() =>
  z.union([
    z.looseObject({ code: code(), msg: z.string(), resultInfo: z.optional(z.undefined()) }),
    z.looseObject({ code: code(), message: z.string(), resultInfo: z.optional(z.undefined()) }),
  ]),
);
/** Answers of an L1 node pass through the relayer as they are, its errors too. */
const rpcError = once(() =>
  z.looseObject({ jsonrpc: z.string(), error: z.looseObject({ code: z.int(), message: text() }) }),
);

/** A read may be repeated at will; anything else only as the endpoint says. */
export function isRead(endpoint: Endpoint): boolean {
  return endpoint.resend === 'repeat';
}

/**
 * Reads a response's body up to `maxAnswerBytes`.
 * @returns Undefined when it is longer.
 */
export async function readBody(response: Response): Promise<string | undefined> {
  const bytes = await readBytes(response, maxAnswerBytes);
  return bytes && new TextDecoder().decode(bytes);
}

/**
 * Turns a complete response into the endpoint's answer.
 * @throws {RelayerClientError} `refused`, `transport` (429, wordless 5xx, and 503 to a read),
 *   `off-schema`.
 */
export function readAnswer(endpoint: Endpoint, httpStatus: number, body: string | undefined): unknown {
  const fail = (message: string, details: Omit<RelayerClientErrorDetails, 'endpoint'>) =>
    new RelayerClientError(`${endpoint.name}: ${message}`, { endpoint: endpoint.name, httpStatus, ...details });

  if (httpStatus === 429) {
    throw fail('the relayer asks for fewer requests', { kind: 'transport', outcome: 'not-sent' });
  }
  if (body === undefined) {
    throw fail('the answer is too long', { kind: 'off-schema', outcome: 'unknown' });
  }
  const json = parseJson(body.replace(LARGE_FILL, '"fillS":"$1"'));
  const value = isDeeper(json, MAX_DEPTH) ? undefined : json;
  // A read that meets an overloaded or stopping relayer was judged by nobody.
  const refusal = httpStatus === 503 && isRead(endpoint) ? undefined : refusalOf(value);
  if (refusal)
    throw fail(`the relayer refused with code ${refusal.code}`, refusalDetails(endpoint, httpStatus, refusal));

  if (httpStatus >= 200 && httpStatus < 300) {
    const bare = resultInfo().safeParse(value).success && Object.keys(value as object).length === 1;
    const parsed = bare ? undefined : endpoint.answer.safeParse(value);
    if (parsed?.success) return parsed.data;
    const issue = parsed?.error.issues[0];
    const field = issue?.path.map(String).join('.');
    throw fail(`the answer does not have the form of the interface${field ? ` at ${field}` : ''}`, {
      kind: 'off-schema',
      outcome: 'unknown',
      field,
    });
  }
  if (turnedAway.has(httpStatus)) {
    throw fail(`the request was turned away with HTTP status ${httpStatus}`, {
      kind: 'refused',
      outcome: 'refused',
    });
  }
  throw fail(`the relayer failed with HTTP status ${httpStatus}`, {
    kind: httpStatus >= 500 ? 'transport' : 'off-schema',
    outcome: 'unknown',
  });
}

interface Refusal {
  readonly code: number;
  readonly message: string | undefined;
}

/** Code 0 is success in older answers and no refusal. */
function refusalOf(value: unknown): Refusal | undefined {
  const standard = resultInfo().safeParse(value).data?.resultInfo;
  const flat = standard ? undefined : flatError().safeParse(value).data;
  const found =
    standard ??
    (flat as { code: number; msg?: string; message?: string } | undefined) ??
    (rpcError().safeParse(value).data?.error as { code: number; message?: string; msg?: undefined } | undefined);
  if (!found || found.code === 0) return undefined;
  return { code: found.code, message: (found.message ?? found.msg)?.slice(0, 500) };
}

function refusalDetails(
  endpoint: Endpoint,
  httpStatus: number,
  { code: relayerCode, message: relayerMessage }: Refusal,
): Omit<RelayerClientErrorDetails, 'endpoint'> {
  const relayerName = relayerErrorNamed(relayerCode);
  const rule = (relayerName && relayerErrors[relayerName].retry) ?? (httpStatus >= 500 ? 'same-bytes' : 'no');
  // "Unknown error", "timeout", "retry later": the relayer may hold the request already, so it is
  // not refused for good.
  const outcome = rule === 'same-bytes' && !isRead(endpoint) ? 'unknown' : 'refused';
  return { kind: 'refused', outcome, relayerCode, relayerName, relayerMessage };
}
