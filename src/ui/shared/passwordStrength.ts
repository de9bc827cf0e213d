import { SHORTEST_PASSWORD } from '../../messaging/limits.ts';
/**
 * How well a password stands against someone who holds a copy of this browser's files and guesses.
 */
export type Strength = 'short' | 'weak' | 'fair' | 'good' | 'strong';

export interface PasswordJudgement {
  readonly strength: Strength;
  /**
   * Estimated guesses as a power of two. An estimate from patterns: it can be too high, so the
   * steps are set high.
   */
  readonly bits: number;
}

/** First words that any guesser tries, and the pieces that people build passwords from. */
const commonPieces = [
  'password',
  'passwort',
  'contraseña',
  'passw0rd',
  'letmein',
  'welcome',
  'monkey',
  'dragon',
  'football',
  'baseball',
  'sunshine',
  'princess',
  'iloveyou',
  'superman',
  'batman',
  'master',
  'shadow',
  'admin',
  'login',
  'secret',
  'hallo',
  'hello',
  'freedom',
  'whatever',
  'trustno1',
  'starwars',
  'summer',
  'winter',
  'spring',
  'autumn',
  'bitcoin',
  'ethereum',
  'crypto',
  'wallet',
  'loopring',
  'countersign',
  'satoshi',
  'hodl',
] as const;

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];
const reversedRows = rows.map((row) => [...row].reverse().join(''));
/**
 * Bits that a recognised piece is worth: its place in a list of about a thousand, with the usual
 * changes of case and digits.
 */
const pieceBits = 11;

/** Letters and digits that are written for each other, back to one form of the same length. */
function plainForm(text: string): string {
  const forms: Readonly<Record<string, string>> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    $: 's',
    '@': 'a',
  };
  const plain = (character: string) => {
    const lower = character.toLowerCase();
    return lower.length === character.length ? (forms[lower] ?? lower) : character;
  };
  return [...text].map(plain).join('');
}

/** Takes the known pieces out; returns what remains and how many were found. */
function withoutPieces(password: string): { rest: string; found: number } {
  let rest = password;
  let found = 0;
  for (const piece of commonPieces) {
    for (let at = plainForm(rest).indexOf(plainForm(piece)); at >= 0; at = plainForm(rest).indexOf(plainForm(piece))) {
      rest = `${rest.slice(0, at)}\u0000${rest.slice(at + piece.length)}`;
      found += 1;
    }
  }
  // A year counts as a piece.
  rest = rest.replace(/(19|20)\d\d/g, () => {
    found += 1;
    return '\u0000';
  });
  return { rest: rest.replaceAll('\u0000', ''), found };
}

/**
 * Characters that do not follow from the one before: no repetition, no neighbour on a keyboard row
 * or in the alphabet.
 */
function surprisingCount(text: string): number {
  const lower = text.toLowerCase();
  const all = [...rows, ...reversedRows];
  let count = 0;
  for (let index = 0; index < lower.length; index += 1) {
    const pair = lower.slice(index - 1, index + 1);
    const follows = index > 0 && (pair[0] === pair[1] || all.some((row) => row.includes(pair)));
    count += follows ? 0.25 : 1;
  }
  return count;
}

function alphabetSize(text: string): number {
  let size = 0;
  if (/[a-z]/.test(text)) size += 26;
  if (/[A-Z]/.test(text)) size += 26;
  if (/\d/.test(text)) size += 10;
  if (/[^a-zA-Z\d]/.test(text)) size += 20;
  return Math.max(size, 1);
}

/** Judges a password by what a patient guesser would try first. */
export function judgePassword(password: string): PasswordJudgement {
  const { rest, found } = withoutPieces(password);
  // The same block written again adds almost nothing.
  const once = /^(.+?)\1+$/u.exec(rest)?.[1] ?? rest;
  const bits = found * pieceBits + surprisingCount(once) * Math.log2(alphabetSize(once));
  if ([...password].length < SHORTEST_PASSWORD) return { strength: 'short', bits };
  if (bits < 45) return { strength: 'weak', bits };
  if (bits < 60) return { strength: 'fair', bits };
  return { strength: bits < 80 ? 'good' : 'strong', bits };
}
