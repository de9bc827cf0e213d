/**
 * A decimal number as a person types it, in base units. Exact: more places than the token has are refused, never rounded.
 * @returns Decimal text, or `null` when it is no positive amount of this token.
 */
export function baseUnits(text: string, decimals: number): string | null {
  const match = /^([0-9]{1,40})(?:\.([0-9]*))?$/.exec(text.trim().replace(',', '.'));
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return null;
  const volume = BigInt(whole + fraction.padEnd(decimals, '0'));
  return volume > 0n ? volume.toString() : null;
}
