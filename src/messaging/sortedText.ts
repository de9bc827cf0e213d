/**
 * A text by the transform of Burrows and Wheeler (1994), which the build makes
 * (`scripts/build/sortText.ts`): a zip then stores a tenth less. The codes of the letters in the
 * order of the sorting, each as its difference from the one before; the length of the text; the
 * place of the text, read from its end, among the sorted rotations; the last letters of these
 * rotations, each as the place of the letter among those that came last.
 */
export type SortedText = readonly [letters: readonly number[], length: number, start: number, places: string];

/**
 * Code of the first digit of a run of the letter that came last; the second digit follows, then the
 * places from 1 on.
 */
export const FIRST_DIGIT = '#'.charCodeAt(0);

/**
 * A place from this one on has two signs: the first counts by as many. Chinese has hundreds of
 * letters.
 */
export const FAR = 62;

/** The last letters of the sorted rotations, as numbers of the letters. */
function lastLetters(count: number, length: number, places: string): Uint16Array {
  const recent = Uint16Array.from({ length: count }, (_, letter) => letter);
  const letters = new Uint16Array(length);
  let at = 0;
  /** Runs are numbers with the digits 1 and 2, the lowest first. */
  let weight = 1;
  for (let i = 0; i < places.length; i++) {
    let place = places.charCodeAt(i) - FIRST_DIGIT - 1;
    if (place >= FAR) place = FAR + (place - FAR) * FAR + places.charCodeAt(++i) - FIRST_DIGIT;
    const letter = recent[Math.max(place, 0)] as number;
    if (place < 1) {
      const end = at + weight * (place + 2);
      letters.fill(letter, at, end);
      at = end;
      weight *= 2;
      continue;
    }
    weight = 1;
    for (let behind = place; behind > 0; behind--) recent[behind] = recent[behind - 1] as number;
    recent[0] = letter;
    letters[at++] = letter;
  }
  return letters;
}

/** The text again. */
export function restoreText([letters, length, start, places]: SortedText): string {
  const last = lastLetters(letters.length, length, places);
  // Sorted, the last letters are the first ones; the nth of a letter is the nth of it in both.
  const firsts = new Uint32Array(letters.length + 1);
  for (let row = 0; row < length; row++) {
    const beyond = (last[row] as number) + 1;
    firsts[beyond] = (firsts[beyond] as number) + 1;
  }
  for (let letter = 1; letter < letters.length; letter++)
    firsts[letter] = (firsts[letter] as number) + (firsts[letter - 1] as number);
  const next = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    const letter = last[row] as number;
    const first = firsts[letter] as number;
    next[first] = row;
    firsts[letter] = first + 1;
  }
  let code = 0;
  const codeOf = Uint16Array.from(letters, (difference) => (code += difference));
  const codes = new Uint16Array(length);
  for (let row = start, i = length - 1; i >= 0; i--) {
    row = next[row] as number;
    codes[i] = codeOf[last[row] as number] as number;
  }
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(codes);
}
