import { Float24 } from '../../../protocol/floats.ts';

/** Mantissas are below this. */
export const MANTISSAS = 1n << BigInt(Float24.mantissaBits);
const DIGITS = MANTISSAS.toString().length;

/** A positive fraction. */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/**
 * The fraction with the smallest top and bottom (both at once) of all from `low` to `high`, by
 * their continued fractions.
 * @returns `undefined` when it has a top or bottom that is no mantissa.
 */
function simplestBetween(low: Fraction, high: Fraction): Fraction | undefined {
  let [a, b, c, d] = [low.top, low.bottom, high.top, high.bottom];
  let [top, topBefore, bottom, bottomBefore] = [1n, 0n, 0n, 1n];
  while (top < MANTISSAS && bottom < MANTISSAS) {
    const whole = a / b;
    const isWhole = whole * b === a;
    if (isWhole || (whole + 1n) * d <= c) {
      const last = isWhole ? whole : whole + 1n;
      const found = { top: last * top + topBefore, bottom: last * bottom + bottomBefore };
      return found.top < MANTISSAS && found.bottom < MANTISSAS ? found : undefined;
    }
    [top, topBefore] = [whole * top + topBefore, top];
    [bottom, bottomBefore] = [whole * bottom + bottomBefore, bottom];
    [a, b, c, d] = [d, c - whole * d, b, a - whole * b];
  }
  return undefined;
}

/** The largest number up to `most` that is at most `mantissa` times a power of ten. */
function largestMultiple(most: bigint, mantissa: bigint): bigint {
  let largest = 0n;
  for (let power = 1n; power <= most; power *= 10n) {
    const digits = most / power;
    const multiple = (digits < mantissa ? digits : mantissa) * power;
    if (multiple > largest) largest = multiple;
    if (digits <= mantissa) break;
  }
  return largest;
}

/**
 * The amounts of a fill, in block floats, between two limits that are so close that rounding in
 * favour of one side breaks the other's: for each power of ten between the two amounts the simplest
 * ratio within the limits, taken as often as fits. Of these the largest.
 * @param low - Least ratio of sold to bought.
 * @param high - Largest ratio of sold to bought.
 * @param most - Floats that neither amount may exceed.
 * @returns `undefined` exactly when no pair of floats is within both limits and `most`.
 */
export function fillBetween(
  low: Fraction,
  high: Fraction,
  most: { readonly sold: bigint; readonly bought: bigint },
): { sold: bigint; bought: bigint } | undefined {
  const length = (value: bigint) => value.toString().length;
  const first = length(low.top) - length(low.bottom) - DIGITS;
  const last = length(high.top) - length(high.bottom) + DIGITS;
  let best: { sold: bigint; bought: bigint } | undefined;
  for (let shift = first; shift <= last; shift++) {
    // sold / bought = ratio · 10^shift
    const soldPower = 10n ** BigInt(Math.max(shift, 0));
    const boughtPower = 10n ** BigInt(Math.max(-shift, 0));
    const scaled = ({ top, bottom }: Fraction) => ({ top: top * boughtPower, bottom: bottom * soldPower });
    const ratio = simplestBetween(scaled(low), scaled(high));
    if (!ratio) continue;
    const sold = ratio.top * soldPower;
    const bought = ratio.bottom * boughtPower;
    const fitting = most.sold / sold < most.bought / bought ? most.sold / sold : most.bought / bought;
    const times = largestMultiple(fitting, (MANTISSAS - 1n) / (ratio.top > ratio.bottom ? ratio.top : ratio.bottom));
    if (times > 0n && (!best || times * bought > best.bought)) best = { sold: times * sold, bought: times * bought };
  }
  return best;
}
