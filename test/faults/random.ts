/** Random choices that a seed repeats (mulberry32). Not for secrets. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** 0 to `limit - 1`. */
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick<T>(list: readonly T[]): T {
      return list[below(list.length)] as T;
    },
    shuffle<T>(list: readonly T[]): T[] {
      const mixed = [...list];
      for (let end = mixed.length - 1; end > 0; end--) {
        const other = below(end + 1);
        [mixed[end], mixed[other]] = [mixed[other] as T, mixed[end] as T];
      }
      return mixed;
    },
  };
}

export type Random = ReturnType<typeof createRandom>;
