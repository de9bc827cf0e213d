import type { TokenChange } from '../../messaging/views.ts';
import type { TokenFacts } from '../../operations/review.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

/**
 * Facts of each token of an exchange as they were first seen, or as the user accepted them later,
 * by token id.
 */
export type TokenPins = ReadonlyMap<number, TokenFacts>;

const stored = once(() =>
  z.object({ address: z.string(), symbol: z.string(), name: z.string(), decimals: z.number() }),
);
/** `address symbol decimals`, the first form; it has no name. */
const FIRST_FORM = /^(0x[0-9a-f]{40}) (.*) (\d{1,3})$/s;

function pinOf(value: unknown): Omit<TokenFacts, 'tokenId'> | undefined {
  const [, address, symbol, decimals] = (typeof value === 'string' && FIRST_FORM.exec(value)) || [];
  return address !== undefined && symbol !== undefined
    ? { address, symbol, name: '', decimals: Number(decimals) }
    : stored().safeParse(value).data;
}

/** One that cannot be read counts as never seen. */
export function readPins(value: unknown): Map<number, TokenFacts> {
  const pins = new Map<number, TokenFacts>();
  if (typeof value !== 'object' || value === null) return pins;
  for (const [key, one] of Object.entries(value)) {
    const pin = pinOf(one);
    if (pin && Number.isInteger(Number(key))) pins.set(Number(key), { tokenId: Number(key), ...pin });
  }
  return pins;
}

export const storedPins = (pins: TokenPins): Readonly<Record<string, Omit<TokenFacts, 'tokenId'>>> =>
  Object.fromEntries([...pins].map(([id, { tokenId: _, ...pin }]) => [id, pin]));

export const isSameToken = (before: TokenFacts, now: TokenFacts): boolean =>
  before.tokenId === now.tokenId &&
  before.address.toLowerCase() === now.address.toLowerCase() &&
  before.symbol === now.symbol &&
  (before.name === '' || before.name === now.name) &&
  before.decimals === now.decimals;

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
export function comparePins(pins: TokenPins, tokens: readonly TokenFacts[]) {
  const next = new Map(pins);
  const changes = new Map<number, TokenChange>();
  for (const now of tokens) {
    const before = next.get(now.tokenId) ?? now;
    if (!isSameToken(before, now)) changes.set(now.tokenId, { before, now });
    else if (next.has(now.tokenId) || next.size < MOST_PINS) next.set(now.tokenId, now);
  }
  return { pins: next as TokenPins, changes: [...changes.values()] };
}
