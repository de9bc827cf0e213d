/** One way of doing something: `run` does it once; `perRound` times in a round, so that short work fills a few milliseconds. */
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
 * Runs the contenders in turn, round after round, so that a slow moment of the machine meets all of them, after one
 * round that is not counted.
 * @returns Milliseconds for one run, a list of rounds for each contender.
 */
export async function interleaved<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  rounds: number,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const { run, perRound } = contenders[name];
      const started = performance.now();
      for (let i = 0; i < perRound; i++) await run();
      if (round > 0) times[name].push((performance.now() - started) / perRound);
    }
  }
  return times;
}

/** Median of the ratios of the rounds: theirs divided by ours. */
export const ratioOf = (theirs: readonly number[], ours: readonly number[]): number =>
  median(theirs.map((time, round) => time / (ours[round] as number)));
