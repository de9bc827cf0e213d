/** Welch's t of two samples: difference of the means in units of its standard error. */
function welchT(a: readonly number[], b: readonly number[]): number {
  const [meanA, errorA] = meanAndError(a);
  const [meanB, errorB] = meanAndError(b);
  const error = Math.sqrt(errorA + errorB);
  return error === 0 ? (meanA === meanB ? 0 : Infinity * Math.sign(meanA - meanB)) : (meanA - meanB) / error;
}

/** Mean, and the variance of the mean. */
function meanAndError(sample: readonly number[]): [number, number] {
  const mean = sample.reduce((sum, value) => sum + value, 0) / sample.length;
  const squares = sample.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return [mean, squares / (sample.length - 1) / sample.length];
}

/**
 * Shares of the measurements that are kept, the shortest first: interruptions only ever make one
 * longer.
 */
const CUTS = [1, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25];

/** The t of largest magnitude over the cuts; the thresholds come from both samples together. */
export function largestT(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b].sort((x, y) => x - y);
  let largest = 0;
  for (const cut of CUTS) {
    const limit = all[Math.ceil(cut * all.length) - 1] as number;
    const below = (sample: readonly number[]) => sample.filter((value) => value <= limit);
    const [keptA, keptB] = [below(a), below(b)];
    if (keptA.length < 30 || keptB.length < 30) continue;
    const t = welchT(keptA, keptB);
    if (Math.abs(t) > Math.abs(largest)) largest = t;
  }
  return largest;
}
