/**
 * `--short`: less of everything, to see that a bench works to its end. Its figures mean nothing,
 * and its reports are files of their own.
 */
export const isShort = process.argv.includes('--short');

/** A number of rounds, orders or seconds, or an eighth of it. */
export const fewer = (count: number): number => (isShort ? Math.ceil(count / 8) : count);
