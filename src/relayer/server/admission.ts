import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Context } from 'hono';
import type { Endpoint } from '../../protocol/endpoint.ts';
import type { RelayerConfig } from '../config.ts';
import type { Account } from '../engine/accounts.ts';
import { hashApiKey } from '../engine/apiKeys.ts';
import type { Relayer } from '../engine/relayer.ts';
import { Refusal } from '../errors.ts';
import type { Env } from './env.ts';
import { createRateLimit } from './rateLimit.ts';

/** What a limit is about: an endpoint, or pages that are no endpoint. */
type Limited = Pick<Endpoint, 'name' | 'apiKey' | 'requestsPerSecond'>;

/** The account whose key was sent, once the limit of the client allows the request. */
export type Admission = (limited: Limited, context: Context<Env>) => Promise<Account | undefined>;

/** Endpoints without a limit in the document take this many times as much as the others. */
export const UNDOCUMENTED_FACTOR = 4;

/** Requests of one client that an endpoint takes. */
export const perSecondOf = (
  endpoint: Pick<Limited, 'requestsPerSecond'>,
  { requestsPerSecond }: Pick<RelayerConfig, 'requestsPerSecond'>,
): number => (endpoint.requestsPerSecond === null ? UNDOCUMENTED_FACTOR * requestsPerSecond : requestsPerSecond);

/**
 * Keys that were found valid, remembered so that their owners share no limit with strangers at the
 * same address.
 */
const MAX_KNOWN_KEYS = 50_000;

/**
 * Limits requests by account when the API key is known to be valid, else by address: an invented
 * key opens no limit of its own, and is only looked up while its address has room.
 */
export function createAdmission(relayer: Relayer): Admission {
  const limit = createRateLimit(undefined, relayer.sharedRates);
  const knownKeys = new Set<string>();

  const take = (endpoint: Limited, client: string) => {
    const perSecond = perSecondOf(endpoint, relayer.config);
    if (limit.take(client, endpoint.name, perSecond)) return;
    throw new Refusal(
      'UNKNOWN_ERROR',
      `more than ${perSecond} requests a second to ${endpoint.name}; wait a second`,
      429,
    );
  };

  return async (endpoint, context) => {
    const apiKey = endpoint.apiKey === 'none' ? '' : (context.req.header('x-api-key') ?? '');
    const address = `address ${clientAddress(context.env.incoming as IncomingMessage | undefined, relayer.config)}`;
    if (apiKey === '') {
      take(endpoint, address);
      return undefined;
    }
    const keyHash = hashApiKey(apiKey);
    const known = knownKeys.has(keyHash);
    if (!known) take(endpoint, address);
    const holder = await relayer.accountOfApiKey(apiKey);
    knownKeys.delete(keyHash);
    if (holder) {
      knownKeys.add(keyHash);
      if (knownKeys.size > MAX_KNOWN_KEYS) knownKeys.delete(knownKeys.values().next().value as string);
    }
    if (known) take(endpoint, holder ? `account ${holder.accountId}` : address);
    return holder;
  };
}

/**
 * Identifies the client of a request: the address, or the network that a proxy names. Each proxy
 * appends the address that it sees, so the first of the trusted ones has appended the client's;
 * what stands before it is the client's own word.
 */
export function clientAddress(
  incoming: IncomingMessage | undefined,
  { trustProxy, trustedProxies }: Pick<RelayerConfig, 'trustProxy' | 'trustedProxies'>,
): string {
  const entries = trustProxy ? String(incoming?.headers['x-forwarded-for'] ?? '').split(',') : [];
  // With fewer entries than proxies the request did not come through the outer ones.
  const forwarded = (entries.at(-trustedProxies) ?? entries[0])?.trim() || undefined;
  return networkOf(forwarded ?? incoming?.socket.remoteAddress ?? 'unknown');
}

/** One subscriber has a whole /64 of IPv6. Some proxies name the port of the client as well. */
export function networkOf(named: string): string {
  const address = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(named)?.slice(1).join('') ?? named;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address.slice(0, 64);
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
