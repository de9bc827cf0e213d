/** A scaled integer as a plain decimal text: `scaledText(1050n, 3)` is `1.05`. */
export function scaledText(scaled: bigint, digits: number): string {
  if (digits === 0) return scaled.toString();
  const text = scaled.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}
