/**
 * Replaces signs in texts of `Intl` that a sentence would show as `[U+202F]` in a value: a plain
 * space for each narrow or no-break one, and no marks of direction, because values in right-to-left
 * sentences are isolated as a whole.
 */
export const plainSigns = (text: string): string =>
  text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/[\u061c\u200e\u200f]/g, '');
