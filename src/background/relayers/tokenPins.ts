import { isSameAddress } from '../../ethereum/address.ts';
import type { DescribedToken, PoolFacts, TokenChange } from '../../messaging/views.ts';
import type { Pool } from '../../operations/pool.ts';
import type { TokenFacts } from '../../operations/review.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

/**
 * Facts of each token of an exchange as they were first seen, or as the user accepted them later,
 * by token id. An LP token has its pool, and no other LP token has the same one.
 */
export type TokenPins = ReadonlyMap<number, DescribedToken>;

export const poolForm = once(() => z.object({ address: z.string(), name: z.string(), pooled: z.array(z.int()) }));

/** Pins of earlier versions have no pool. */
const stored = once(() =>
  z.object({
    address: z.string(),
    symbol: z.string(),
    name: z.string(),
    decimals: z.number(),
    pool: z.catch(z.optional(poolForm()), undefined),
  }),
);
/** `address symbol decimals`, the first form; it has no name. */
const FIRST_FORM = /^(0x[0-9a-f]{40}) (.*) (\d{1,3})$/s;

function pinOf(value: unknown): Omit<DescribedToken, 'tokenId'> | undefined {
  const [, address, symbol, decimals] = (typeof value === 'string' && FIRST_FORM.exec(value)) || [];
  return address !== undefined && symbol !== undefined
    ? { address, symbol, name: '', decimals: Number(decimals) }
    : stored().safeParse(value).data;
}

/** One that cannot be read counts as never seen. */
export function readPins(value: unknown): Map<number, DescribedToken> {
  const pins = new Map<number, DescribedToken>();
  if (typeof value !== 'object' || value === null) return pins;
  for (const [key, one] of Object.entries(value)) {
    const pin = pinOf(one);
    if (pin && Number.isInteger(Number(key))) pins.set(Number(key), { tokenId: Number(key), ...pin });
  }
  return pins;
}

export const storedPins = (pins: TokenPins): Readonly<Record<string, Omit<DescribedToken, 'tokenId'>>> =>
  Object.fromEntries([...pins].map(([id, { tokenId: _, ...pin }]) => [id, pin]));

const isSamePool = (before: PoolFacts, now: PoolFacts): boolean =>
  isSameAddress(before.address, now.address) && before.name === now.name && before.pooled.join() === now.pooled.join();

/** A pool that is not known on one side is no difference. */
export const isSameToken = (before: DescribedToken, now: DescribedToken): boolean =>
  before.tokenId === now.tokenId &&
  isSameAddress(before.address, now.address) &&
  before.symbol === now.symbol &&
  (before.name === '' || before.name === now.name) &&
  before.decimals === now.decimals &&
  (!before.pool || !now.pool || isSamePool(before.pool, now.pool));

export const poolFacts = ({ address, name, tokens }: Pool): PoolFacts => ({ address, name, pooled: tokens.pooled });

/**
 * Tokens with the pools that they are shares of; a token of several pools twice, which is enough
 * for one to differ.
 */
export function withPools(tokens: readonly TokenFacts[], pools: readonly Pool[]): DescribedToken[] {
  const byToken = new Map<number, PoolFacts[]>();
  for (const pool of pools) {
    const own = byToken.get(pool.tokens.lp) ?? [];
    const facts = poolFacts(pool);
    if (own.length < 2 && !own.some((other) => isSamePool(other, facts))) own.push(facts);
    byToken.set(pool.tokens.lp, own);
  }
  return tokens.flatMap((token): DescribedToken[] => {
    const own = byToken.get(token.tokenId);
    return own ? own.map((pool) => ({ ...token, pool })) : [token];
  });
}

/** Pins a token as it was accepted, and takes its pool from the token that had it. */
export function pinAccepted(pins: TokenPins, token: DescribedToken): TokenPins {
  const { tokenId, pool = pins.get(tokenId)?.pool } = token;
  const next = new Map(pins).set(tokenId, { ...token, pool });
  for (const [id, { pool: own, ...other }] of pins)
    if (id !== tokenId && pool && own && isSameAddress(own.address, pool.address)) next.set(id, other);
  return next;
}

/**
 * Most pinned tokens, because none of them is ever forgotten: an eighth of the ids that an exchange
 * has, where one with every token and pool of its chain's large exchanges lists some hundreds.
 */
const MOST_PINS = 4_096;

/**
 * Compares a list of tokens with the pins.
 * @returns The pins with what is new in the list, as far as there is room, and what differs from
 *   them.
 */
export function comparePins(pins: TokenPins, tokens: readonly DescribedToken[]) {
  const next = new Map(pins);
  const changes = new Map<number, TokenChange>();
  const holders = new Map<string | undefined, number>();
  for (const { tokenId, pool } of pins.values()) holders.set(pool?.address.toLowerCase(), tokenId);
  for (const now of tokens) {
    if (!next.has(now.tokenId) && next.size >= MOST_PINS) continue;
    const { pool, ...alone } = now;
    const place = pool?.address.toLowerCase();
    const taken =
      pool !== undefined && !next.get(now.tokenId)?.pool && (holders.get(place) ?? now.tokenId) !== now.tokenId;
    const before: DescribedToken = next.get(now.tokenId) ?? (taken ? alone : now);
    const isChanged = taken || !isSameToken(before, now);
    if (isChanged) changes.set(now.tokenId, { before, now });
    if (!isChanged) {
      next.set(now.tokenId, { ...alone, pool: pool ?? before.pool });
      holders.set(place, now.tokenId);
    }
    if (!next.has(now.tokenId)) next.set(now.tokenId, before);
  }
  return { pins: next as TokenPins, changes: [...changes.values()] };
}
