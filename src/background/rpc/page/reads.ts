import { RelayerClientError } from '../../../client/index.ts';
import { address, type EndpointName, endpoints } from '../../../protocol/index.ts';
import { once } from '../../../protocol/once.ts';
import { z } from '../../../protocol/zod.ts';
import { VaultError } from '../../../vault/index.ts';
import { RpcError, relayerFailure, unauthorized } from '../../errors/rpcError.ts';
import { isPublicRead, isReadEndpoint } from '../../relayers/reads.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import { namedParams, pageMethod, parsed } from './pageMethod.ts';

/**
 * Everything that can be read, by the endpoint's name. Signed reads (the API key itself) are not
 * among them.
 */
export const readableEndpoints = (Object.keys(endpoints) as EndpointName[]).filter(isReadEndpoint);

const locked = () => unauthorized('locked', 'The wallet is locked.');

/** @throws What a page sees of a refused or failed read. */
function refuseRead(error: unknown): never {
  // The wallet may lock while something is read.
  if (error instanceof VaultError && error.code === 'locked') throw locked();
  throw error instanceof RelayerClientError ? new RpcError(...relayerFailure(error)) : error;
}

/**
 * Parameters of a page: the endpoint's own, lists as lists, and the owner address of one of its
 * accounts.
 */
const asked = once(() => namedParams({ account: z.optional(address()) }));

const commaList = (value: unknown) =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object') ? value.join(',') : value;

/**
 * True when a schema of the table takes the field; schemas are strict, so another field is refused
 * as unrecognized.
 */
function takes(schema: z.ZodMiniType, field: string): boolean {
  const issues = schema.safeParse({ [field]: 0 }).error?.issues ?? [];
  return !issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys.includes(field));
}

/**
 * The parameters that are sent. The account's number comes from the wallet, so that no page reads
 * another account; only what is public by address can be asked for another one.
 */
function inputFor(name: EndpointName, params: Readonly<Record<string, unknown>>, account?: StoredAccount): object {
  const { query, body, method } = endpoints[name];
  if ('accountId' in params)
    throw new RpcError('invalidParams', 'accountId: is filled in by the wallet; name an account by its owner address');
  const given = Object.fromEntries(Object.entries(params).map(([field, value]) => [field, commaList(value)]));
  const named = 'owner' in given || ('address' in given && name === 'getCounterFactualInfo');
  const isBody = method === 'POST';
  const fills = account !== undefined && !isBody && !named && takes(query, 'accountId');
  const filled = fills ? { ...given, accountId: account.accountId } : given;
  parsed<unknown>(isBody ? body : query, filled);
  return isBody ? { body: filled } : { query: filled };
}

/**
 * One method for a read of an account: `relayer_` and its name. The API key stays inside; the
 * answer has passed the schema.
 */
const accountRead = (name: EndpointName) =>
  pageMethod({
    name: `relayer_${name}`,
    params: asked,
    needs: 'read',
    owner: (params) => params?.account,
    async handle({ right, params, rooms }) {
      // The API key lives in the vault, so a read that needs it needs the wallet unlocked. It may
      // lock while the read waits.
      const refuseLocked = async () => {
        if (endpoints[name].apiKey !== 'none' && !(await rooms.keys.isUnlocked())) throw locked();
      };
      await refuseLocked();
      const { account: _owner, ...rest } = params ?? {};
      const input = inputFor(name, rest, right.account);
      return rooms.reads.of(right).read(name, input).catch(refuseRead).finally(refuseLocked);
    },
  });

/**
 * A read of public data, which a page may show before anybody connects: of the network that the
 * site is on.
 */
const publicRead = (name: EndpointName) =>
  pageMethod({
    name: `relayer_${name}`,
    params: asked,
    needs: 'none',
    async handle({ site, params, rooms }) {
      const { account: owner, ...rest } = params ?? {};
      if (owner !== undefined) await site.accountOf(owner);
      const input = inputFor(name, rest);
      const network = await site.network();
      if (!network) throw new RpcError('disconnected', 'This wallet has no network yet.');
      return rooms.reads.public(network).read(name, input).catch(refuseRead);
    },
  });

export const readMethods = readableEndpoints.map((name) => (isPublicRead(name) ? publicRead(name) : accountRead(name)));
