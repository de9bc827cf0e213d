import type { Context } from 'hono';
import type { z } from 'zod/mini';
import type { Endpoint } from '../../protocol/endpoint.ts';
import type { RelayerErrorName } from '../../protocol/errors.ts';
import { PayloadError } from '../../protocol/payloads/payloadError.ts';
import { acceptedRequestMessages, requestHash } from '../../protocol/requestSignature.ts';
import { type Account, findAccount } from '../engine/accounts.ts';
import type { Relayer } from '../engine/relayer.ts';
import { checkEddsa } from '../engine/signatures.ts';
import { Refusal } from '../errors.ts';
import { refuseControlCharacters } from './controlCharacters.ts';
import type { Env } from './env.ts';
import { parseJsonObject } from './jsonBody.ts';
import type { Call } from './route.ts';

/** A route without the types of its endpoint. */
export interface AnyRoute {
  readonly handle: (call: Call<never>) => Promise<unknown>;
  readonly invalid?: Readonly<Record<string, RelayerErrorName>>;
  readonly exactIntegers?: readonly string[];
  readonly accountId?: (query: never, body: never) => number | undefined;
}

/**
 * One endpoint's way from request to answer: API key (API_KEY_EMPTY, API_KEY_INVALID), shape
 * (INVALID_ARGUMENT or the field's own code), account (ACCOUNT_ID_INVALID, API_ACCOUNT_INVALID),
 * header signature (SIGNATURE_MISSING, SIGNATURE_WRONG), then the route. Rate limit and errors are
 * around it.
 * @param keyHolder - the account whose current API key was sent.
 */
export async function serveEndpoint(
  relayer: Relayer,
  endpoint: Endpoint,
  route: AnyRoute,
  context: Context<Env>,
  keyHolder: Account | undefined,
): Promise<unknown> {
  const apiKey = context.req.header('x-api-key') ?? '';
  if (endpoint.apiKey === 'required' && apiKey === '')
    throw new Refusal('API_KEY_EMPTY', 'the X-API-KEY header is missing');
  if (endpoint.apiKey !== 'none' && apiKey !== '' && keyHolder === undefined)
    throw new Refusal('API_KEY_INVALID', 'the API key is unknown or was replaced');

  const { searchParams } = new URL(context.req.url);
  const repeated = Object.keys((endpoint.query as z.ZodMiniObject).shape).find(
    (name) => searchParams.getAll(name).length > 1,
  );
  if (repeated !== undefined) throw new Refusal('INVALID_ARGUMENT', `${repeated} is given more than once`);
  const rawQuery = Object.fromEntries(searchParams);
  const query = parse(endpoint.query, readableQuery(endpoint, rawQuery), route.invalid, 'query');
  const bodyText = endpoint.method === 'POST' ? context.get('bodyText') : '';
  const body =
    endpoint.method === 'POST' ? parse(endpoint.body, parseJsonObject(bodyText), route.invalid, 'body') : undefined;

  const accountId = route.accountId
    ? route.accountId(query as never, body as never)
    : ((query as { accountId?: number }).accountId ?? (body as { accountId?: number } | undefined)?.accountId);
  const account = await authenticate(relayer, endpoint, accountId, keyHolder);

  const headerSignature = context.req.header('x-api-sig');
  if (endpoint.signature === 'eddsa') {
    const messages = relayer.baseUrls.flatMap((baseUrl) =>
      acceptedRequestMessages({ method: endpoint.method, baseUrl, path: endpoint.path, query: rawQuery, bodyText }),
    );
    await checkEddsa(relayer, messages.map(requestHash), headerSignature, account?.publicKey ?? null, 'X-API-SIG');
  }
  relayer.faults.pass('read');
  try {
    return await route.handle({
      ...{ relayer, query, body, headerSignature },
      get account() {
        if (!account) throw new Error('an endpoint without API key has no account');
        return account;
      },
    } as unknown as Call<never>);
  } catch (error) {
    throw error instanceof PayloadError ? payloadRefusal(error, route.invalid) : error;
  }
}

/** Refuses a body that cannot be hashed with the code of its field. */
export function payloadRefusal({ field, message }: PayloadError, invalid: AnyRoute['invalid']): Refusal {
  return new Refusal(codeOf(field.split('.'), invalid) ?? 'INVALID_ARGUMENT', message);
}

/**
 * The parameters that are parsed. Clients in use send empty ones for absent ones and some that
 * other servers know. In a DELETE an unknown name stays refused: a filter that is not understood
 * must not cancel more than was meant.
 */
function readableQuery({ method, query }: Endpoint, raw: Record<string, string>): Record<string, string> {
  const known = (query as z.ZodMiniObject).shape;
  return Object.fromEntries(
    Object.entries(raw).filter(([name, value]) => value !== '' && (method !== 'GET' || Object.hasOwn(known, name))),
  );
}

/** The account that a request acts for; its API key must be the one that was sent. */
async function authenticate(
  relayer: Relayer,
  endpoint: Endpoint,
  accountId: number | undefined,
  keyHolder: Account | undefined,
): Promise<Account | undefined> {
  const demands = endpoint.apiKey === 'required' || (endpoint.apiKey === 'none' && endpoint.signature === 'eddsa');
  if (accountId === undefined) return endpoint.apiKey === 'none' ? undefined : keyHolder;
  if (endpoint.apiKey !== 'none' && keyHolder?.accountId === accountId) return keyHolder;
  if (!demands && (endpoint.apiKey === 'none' || keyHolder === undefined)) return undefined;
  const account = await findAccount(relayer.db, accountId);
  if (!account) {
    const known = ['ACCOUNT_ID_INVALID', 'ACCOUNT_NOT_FOUND', 'API_ACCOUNT_INVALID'] as const;
    const code = known.find((candidate) => endpoint.errorCodes.includes(candidate)) ?? 'INVALID_ARGUMENT';
    throw new Refusal(code, `accountId ${accountId} does not exist`);
  }
  if (endpoint.apiKey !== 'none')
    throw new Refusal('API_ACCOUNT_INVALID', `the API key is not the one of account ${accountId}`);
  return account;
}

function parse(
  schema: Endpoint['query'],
  value: unknown,
  invalid: AnyRoute['invalid'],
  where: 'query' | 'body',
): unknown {
  refuseControlCharacters(value);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String) ?? [];
  const given = path.reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);
  const missing = path.length > 0 && given === undefined;
  // What is wrong with the whole stands behind a colon, with the names of its members.
  const name = `${path.join('.') || where}${path.length === 0 || issue?.code === 'unrecognized_keys' ? ':' : ''}`;
  throw new Refusal(
    codeOf(missing ? [...path, 'missing'] : given === '' ? [...path, 'empty'] : path, invalid) ?? 'INVALID_ARGUMENT',
    `${name} ${missing ? 'is missing' : (issue?.message ?? 'is not valid')}`,
  );
}

function codeOf(path: readonly string[], invalid: AnyRoute['invalid']): RelayerErrorName | undefined {
  const names = path.filter((part) => !/^\d+$/.test(part));
  for (let length = names.length; length > 0; length--) {
    const code = invalid?.[names.slice(0, length).join('.')];
    if (code !== undefined) return code;
  }
  return undefined;
}
