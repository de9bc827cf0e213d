import type { z } from 'zod';
import { RelayerClientError } from '../../../client/index.ts';
import { deferred } from '../../../protocol/deferred.ts';
import { address, type EndpointName, endpoints } from '../../../protocol/index.ts';
import { RpcError, unauthorized } from '../../errors/rpcError.ts';
import { isReadEndpoint } from '../../relayers/reads.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { namedParams, pageMethod, parsed } from './pageMethod.ts';

/** Everything that can be read, by the endpoint's name. Signed reads (the API key itself) are not among them. */
export const readableEndpoints = (Object.keys(endpoints) as EndpointName[]).filter(isReadEndpoint);

/** A refused or failed read as the page sees it. */
function readError(error: unknown): unknown {
  if (!(error instanceof RelayerClientError)) return error;
  const { relayerCode: code, queueFreeInMs: retryAfterMs } = error;
  if (retryAfterMs !== undefined)
    return new RpcError('limitExceeded', 'Too many reads of this kind wait for the relayer already.', {
      reason: 'queueFull',
      retryAfterMs,
    });
  if (error.kind === 'refused' && code !== undefined) {
    const name = error.relayerName ?? 'UNLISTED';
    return new RpcError('refused', `The relayer refused: ${name}.`, { code, name });
  }
  return new RpcError('disconnected', 'The relayer did not answer in a form that can be used.', { kind: error.kind });
}

/** What a page passes: the endpoint's own parameters, lists as lists, and the owner address of one of its accounts. */
const asked = deferred(() => namedParams({ account: address.optional() }));

const commaList = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object') ? value.join(',') : value;

/** True when a schema of the table takes the field; schemas are strict, so another field is refused as unrecognized. */
function takes(schema: z.ZodType, field: string): boolean {
  const issues = schema.safeParse({ [field]: 0 }).error?.issues ?? [];
  return !issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys.includes(field));
}

/**
 * The parameters that are sent. The account's number comes from the wallet, so that no page reads another account; only
 * what is public by address can be asked for another one.
 */
function inputFor(name: EndpointName, params: Readonly<Record<string, unknown>>, account: StoredAccount): object {
  const { query, body, method } = endpoints[name];
  if ('accountId' in params)
    throw new RpcError('invalidParams', 'accountId: is filled in by the wallet; name an account by its owner address');
  const given = Object.fromEntries(Object.entries(params).map(([field, value]) => [field, commaList(value)]));
  const named = 'owner' in given || ('address' in given && name === 'getCounterFactualInfo');
  const isBody = method === 'POST';
  const filled = !isBody && !named && takes(query, 'accountId') ? { ...given, accountId: account.accountId } : given;
  parsed<unknown>(isBody ? body : query, filled);
  return isBody ? { body: filled } : { query: filled };
}

/** One method for a read endpoint: `relayer_` and its name. The API key stays inside; the answer has passed the schema. */
const readMethod = (name: EndpointName) =>
  pageMethod({
    name: `relayer_${name}`,
    params: asked,
    needs: 'read',
    owner: (params) => params?.account,
    async handle({ site, right, params, rooms }) {
      // The API key lives in the vault, so a read that needs it needs the wallet unlocked.
      if (endpoints[name].apiKey !== 'none' && !(await rooms.isUnlocked()))
        throw unauthorized('locked', 'The wallet is locked.');
      const { account: _owner, ...rest } = params ?? {};
      const input = inputFor(name, rest, right.account);
      try {
        return await rooms.reads(right, site.origin).read(name, input);
      } catch (error) {
        throw readError(error);
      }
    },
  });

export const readMethods = readableEndpoints.map(readMethod);
