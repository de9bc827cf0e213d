import { ParameterError } from '../errors.ts';

/** An exact decimal number: `units` × 10^-`digits`. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

/** No amount or price of an exchange is longer. */
const LONGEST = 80;

/**
 * Reads a decimal text without rounding.
 * @param digits - How many the number may have after the point.
 * @throws {ParameterError} `field`: is not a positive decimal text, or has more digits.
 */
export function readDecimal(field: string, text: unknown, digits: number): Decimal {
  const [, whole, given = ''] =
    (typeof text === 'string' && text.length <= LONGEST && /^(\d+)(?:\.(\d+))?$/.exec(text)) || [];
  if (whole === undefined) throw new ParameterError(`${field}: is not a decimal text such as '0.5'`);
  const fraction = given.replace(/0+$/, '');
  if (fraction.length > digits)
    throw new ParameterError(`${field}: has more than ${digits} digits after the point: ${text}`);
  const units = BigInt(whole + fraction);
  if (units === 0n) throw new ParameterError(`${field}: is zero`);
  return { units, digits: fraction.length };
}

/** The quotient, rounded up. */
export const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
