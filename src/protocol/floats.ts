/**
 * The base-10 floats in which blocks carry amounts (24 bits: 5-bit exponent, 19-bit mantissa) and
 * fees (16 bits: 5-bit exponent, 11-bit mantissa). Executed amounts are rounded **down** to them:
 * transfers and order fills by less than 0.002 %, fees by less than 0.5 %. Withdrawals and mints
 * are exact.
 */
export interface FloatEncoding {
  readonly exponentBits: number;
  readonly mantissaBits: number;
}

/** Amounts of transfers and order fills. */
export const Float24: FloatEncoding = { exponentBits: 5, mantissaBits: 19 };

/** Fees. */
export const Float16: FloatEncoding = { exponentBits: 5, mantissaBits: 11 };

/**
 * The float of the largest representable value that is at most `amount`.
 * @throws {RangeError} A negative amount, or one above the encoding's range.
 */
export function encodeFloat(amount: bigint, { exponentBits, mantissaBits }: FloatEncoding): number {
  if (amount < 0n) throw new RangeError('an amount is not negative');
  let exponent = 0;
  let mantissa = amount;
  while (mantissa >= 1n << BigInt(mantissaBits)) {
    mantissa /= 10n;
    exponent++;
  }
  if (exponent >= 2 ** exponentBits) throw new RangeError('the amount is above the range of the float');
  return exponent * 2 ** mantissaBits + Number(mantissa);
}

/** The value of a float. */
export function decodeFloat(float: number, { mantissaBits }: FloatEncoding): bigint {
  return BigInt(float % 2 ** mantissaBits) * 10n ** BigInt(Math.floor(float / 2 ** mantissaBits));
}

/** The amount that is executed for a signed amount. */
export function roundToFloat(amount: bigint, encoding: FloatEncoding): bigint {
  return decodeFloat(encodeFloat(amount, encoding), encoding);
}

/**
 * Whether an amount can be executed for a signed one: as `roundToFloat` rounds it, or as the
 * protocol's own writers do. These take the smallest exponent e with `largest mantissa · 10^e ≥
 * amount`, which leaves a digit less where the mantissa would be between the largest and one more.
 */
export function isExecuted(executed: bigint, signed: bigint, encoding: FloatEncoding): boolean {
  let unit = 1n;
  while (unit * BigInt(2 ** encoding.mantissaBits - 1) < signed) unit *= 10n;
  return executed === roundToFloat(signed, encoding) || executed === signed - (signed % unit);
}

/** Whether this module or the protocol's own writers would write a float with its exponent. */
export function isCanonicalFloat(float: number, { mantissaBits }: FloatEncoding): boolean {
  const mantissas = 2 ** mantissaBits;
  return float < mantissas || 10 * ((float % mantissas) + 1) >= mantissas;
}

/**
 * The smallest float that is at least `amount`.
 * @throws {RangeError} As `encodeFloat`.
 */
export function roundUpToFloat(amount: bigint, encoding: FloatEncoding): bigint {
  const float = encodeFloat(amount, encoding);
  const below = decodeFloat(float, encoding);
  if (below === amount) return amount;
  // One more in the mantissa; behind the largest one that is no float, but close below the next.
  return roundUpToFloat(below + 10n ** BigInt(Math.floor(float / 2 ** encoding.mantissaBits)), encoding);
}
