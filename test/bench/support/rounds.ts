/**
 * One way of doing something: `run` does it once; `perRound` times in a round, so that short work
 * fills a few milliseconds.
 */
export interface Contender {
  readonly run: () => unknown;
  readonly perRound: number;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

/**
 * Milliseconds for one run, a list of rounds: by the clock, and of processor time (all threads,
 * collector included).
 */
export interface Times {
  readonly clock: number[];
  readonly processor: number[];
}

/**
 * Runs the contenders in turn, round after round, so that a slow moment of the machine meets all of
 * them, after one round that is not counted. Processor time is kept because a busy machine distorts
 * the clock more for some than for others.
 */
export async function interleaved<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  rounds: number,
): Promise<Record<Name, Times>> {
  const names = Object.keys(contenders) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, { clock: [], processor: [] }])) as unknown as Record<
    Name,
    Times
  >;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const { run, perRound } = contenders[name];
      const before = process.cpuUsage();
      const started = performance.now();
      for (let i = 0; i < perRound; i++) await run();
      const elapsed = performance.now() - started;
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      times[name].clock.push(elapsed / perRound);
      times[name].processor.push((user + system) / 1000 / perRound);
    }
  }
  return times;
}

/** Median of the ratios of the rounds: theirs divided by ours. */
export const ratioOf = (theirs: readonly number[], ours: readonly number[]): number =>
  median(theirs.map((time, round) => time / (ours[round] as number)));
