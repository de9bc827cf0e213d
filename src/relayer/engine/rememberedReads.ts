import type { Hex } from 'viem';
import type { Clock } from './clock.ts';

const MAX_ADDRESSES = 10_000;

/**
 * What layer 1 says of contracts, for everybody who asks: remembered, and asked for once at a time,
 * so that callers are no load for its node. A failure is not remembered.
 * @param lastsMs - how long an answer holds.
 */
export function rememberedReads<Answer>(
  clock: Clock,
  ask: (address: Hex) => Promise<Answer>,
  lastsMs: (answer: Answer) => number,
): (address: Hex) => Promise<Answer> {
  const known = new Map<string, { readonly answer: Promise<Answer>; until: number }>();
  return (address) => {
    const key = address.toLowerCase();
    const held = known.get(key);
    if (held && held.until > clock.now()) return held.answer;
    const asked = { answer: ask(address), until: Number.POSITIVE_INFINITY };
    known.delete(key);
    known.set(key, asked);
    if (known.size > MAX_ADDRESSES) known.delete(known.keys().next().value as string);
    asked.answer.then(
      (answer) => {
        asked.until = clock.now() + lastsMs(answer);
      },
      () => {
        if (known.get(key) === asked) known.delete(key);
      },
    );
    return asked.answer;
  };
}
