import { FAR, FIRST_DIGIT, type SortedText } from '../../src/messaging/sortedText.ts';

const sign = (value: number): string => String.fromCharCode(FIRST_DIGIT + value);

/** Numbers with the digits 1 and 2, the lowest first. */
function digitsOf(run: number): string {
  let digits = '';
  for (let left = run; left > 0; left = Math.floor((left - 1) / 2)) digits += sign((left - 1) % 2);
  return digits;
}

const placeText = (place: number): string =>
  place < FAR ? sign(1 + place) : sign(1 + FAR + Math.floor((place - FAR) / FAR)) + sign((place - FAR) % FAR);

/** Letters that stand beside similar ones are sorted beside each other: a hundredth less again. */
const kinds = [/\|/, /\s/, /\p{P}/u, /[aeiouyäöüàâéèêëíîïóôúùû]/i, /\p{Ll}/u, /\p{Lu}/u, /./s];

/**
 * A text by the transform of Burrows and Wheeler: letters with the same ones behind them come to
 * stand together, so that nearly all are one of those that came last.
 * @throws {Error} The text has letters beyond the basic plane.
 */
export function sortText(forward: string): SortedText {
  if (/\p{Cs}|[^\0-\uffff]/u.test(forward)) throw new Error('a text has a letter beyond the basic plane');
  const { length } = forward;
  const letters = [...new Set(forward)].sort(
    (a, b) => kinds.findIndex((kind) => kind.test(a)) - kinds.findIndex((kind) => kind.test(b)) || (a < b ? -1 : 1),
  );
  // From its end: what a letter follows foretells it better than what follows it.
  const text = [...forward].reverse().join('');
  const ranks = new Map(letters.map((letter, rank) => [letter, rank]));
  const codes = Uint16Array.from(text, (letter) => ranks.get(letter) ?? 0);
  const rotations = Array.from({ length }, (_, i) => i).sort((a, b) => {
    for (let i = 0; i < length; i++) {
      const difference = (codes[(a + i) % length] as number) - (codes[(b + i) % length] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const recent = [...letters];
  let places = '';
  let run = 0;
  for (const rotation of rotations) {
    const letter = text[(rotation + length - 1) % length] as string;
    const place = recent.indexOf(letter);
    if (place === 0) {
      run += 1;
      continue;
    }
    places += digitsOf(run) + placeText(place);
    run = 0;
    recent.splice(place, 1);
    recent.unshift(letter);
  }
  const differences = letters.map((letter, i) => letter.charCodeAt(0) - (letters[i - 1]?.charCodeAt(0) ?? 0));
  return [differences, length, Math.max(rotations.indexOf(0), 0), places + digitsOf(run)];
}
