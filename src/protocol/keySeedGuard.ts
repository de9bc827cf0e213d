import { keySeedText } from './keyDerivation.ts';
import { foldAlike, plainLetter } from './plainLetter.ts';

/**
 * True for exactly the text that the wallet's own log-in signs, letter for letter. Nothing else is
 * ever shown to a signer.
 */
export function isExactKeySeed(text: string, exchange: string, nonce: number): boolean {
  try {
    return text === keySeedText(exchange, nonce);
  } catch {
    return false;
  }
}

/**
 * Phrases from which wallets and exchanges derive keys by signature, this protocol's and others'. A
 * signature over such a text is a key, so no page may ask for one.
 */
const SEED_PHRASES = [
  // this protocol and its forks
  'with key nonce',
  'to access Loopring',
  'Loopring Exchange 0x',
  'key nonce 0x',
  // zkSync Lite, and all that took over its wording
  'Access zkSync account',
  'Only sign this message for a trusted client',
  'only sign this message if you trust the application',
  // dYdX, ApeX, and others on StarkEx
  'dYdX STARK Key',
  'dYdX Onboarding',
  'dYdX Chain Onboarding',
  'action L2 Key',
  'onlySignOn',
  'Only sign this request if you',
  'key linking request from Immutable',
  'key derivation STARK',
  'generate your STARK key',
  'derive your STARK key',
  'generate your L2 key',
  'generate layer 2 key',
  'generate your trading key',
  'create your trading key',
  'derive your trading key',
  'to generate your private key',
  'Access edgeX account',
  'access Lighter account',
  // privacy layers
  'generate your Aztec',
  'Aztec Spending Key',
  'Aztec Privacy Key',
  'generate your spending key',
  'generate your viewing key',
  'generate your Fluidkey',
  'private payment keys',
  'RAILGUN',
  'access your Umbra account',
  // messengers
  'XMTP : Create Identity',
  'XMTP : Enable Identity',
  'Enable Push Profile',
  'Enable Push Chat Profile',
  // others whose log-in text is a key
  'access DeGate',
  'to DeGate',
  'STARK Key',
  'derive your private key',
  'generate your private key',
  'private encryption key',
];

/** Signs that stand in for letters. */
const SIGNS: ReadonlyMap<string, string> = new Map(Object.entries({ '|': 'l', '!': 'l', '@': 'a', $: 's', '€': 'e' }));

/** Stands for a letter of which nothing is known. */
const UNKNOWN = '?';

/**
 * Reduces a text to what a hasty reader sees: compatibility forms unified, accents, invisible and
 * control characters, spaces and punctuation gone, look-alike letters folded, any other foreign
 * letter an `UNKNOWN`. Phrases are reduced by the same rules before comparing.
 */
function skeleton(text: string, signsAreLetters: boolean): string {
  let folded = '';
  for (const letter of text.normalize('NFKD')) {
    const plain = (signsAreLetters ? SIGNS.get(letter) : undefined) ?? plainLetter(letter);
    if (/^[a-z0-9]$/.test(plain)) folded += plain;
    else if (letter > '\x7f' && /^[\p{L}\p{N}\p{S}]$/u.test(letter)) folded += UNKNOWN;
  }
  return foldAlike(folded);
}

/**
 * True when the phrase occurs in the skeleton; at most a quarter of its letters may be unknown
 * ones.
 */
function contains(seen: string, phrase: string): boolean {
  if (!seen.includes(UNKNOWN)) return seen.includes(phrase);
  for (let start = 0; start + phrase.length <= seen.length; start++) {
    let unknown = 0;
    let length = 0;
    for (; length < phrase.length; length++) {
      const letter = seen[start + length];
      if (letter === UNKNOWN) unknown++;
      else if (letter !== phrase[length]) break;
      if (unknown * 4 > phrase.length) break;
    }
    if (length === phrase.length) return true;
  }
  return false;
}

let seedSkeletons: readonly string[] | undefined;

/** Shorter runs are words; the shortest phrase has more letters than this in base64. */
const SHORTEST_BASE64 = 12;

const fromHex = (digits: string) => Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function hexReadings(text: string): string[] {
  const digits = text.replace(/\s/g, '').replace(/^0x/i, '');
  if (digits.length < 2 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) return [];
  const bytes = fromHex(digits);
  return [new TextDecoder().decode(bytes), new TextDecoder('utf-16le').decode(bytes)];
}

/** Each run of base64, of either alphabet, in its place. */
function base64Reading(text: string): string {
  return text.replace(/[A-Za-z0-9+/_-]+={0,2}/g, (run) => {
    const plain = run.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
    if (plain.length < SHORTEST_BASE64 || plain.length % 4 === 1) return run;
    return new TextDecoder().decode(Uint8Array.from(atob(plain), (character) => character.charCodeAt(0)));
  });
}

/** Escapes of URLs and of HTML undone. */
const unescaped = (text: string): string =>
  text
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => new TextDecoder().decode(fromHex(run.replaceAll('%', ''))))
    .replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });

/**
 * The readings of a text: itself, and what its hex digits, base64 and escapes spell, also one
 * inside the other.
 */
function readings(text: string): string[] {
  const found = new Set([text]);
  let latest = [text];
  for (let depth = 0; depth < 3; depth++) {
    latest = latest
      .flatMap((current) => [...hexReadings(current), base64Reading(current), unescaped(current)])
      .filter((reading) => !found.has(reading));
    for (const reading of latest) found.add(reading);
  }
  return [...found];
}

/**
 * Guard before any signature that a page asks for: true when the text is, contains or looks like a
 * seed from which an L2 key is derived, or names one of the exchanges. It rather refuses too much:
 * a refused log-in text costs a sentence, a signed seed costs the account.
 *
 * Sees through letter case, spacing, punctuation, invisible and control characters, accents,
 * full-width and other compatibility forms, look-alike letters, embedding in a longer text, hex
 * (UTF-16 too), both alphabets of base64, escapes of URLs and HTML, and these inside each other.
 * @param text - a personal_sign message as text or hex, or a typed-data document as JSON text.
 * @param exchanges - addresses of the configured exchanges; any text that contains one is refused.
 */
export function isKeySeedLike(text: string, exchanges: readonly string[] = []): boolean {
  const addresses = exchanges
    .map((exchange) => skeleton(exchange.replace(/^0x/i, ''), false))
    .filter((address) => address.length > 0);
  seedSkeletons ??= SEED_PHRASES.map((phrase) => skeleton(phrase, false));
  const phrases = [...seedSkeletons, ...addresses];
  return readings(text).some((reading) =>
    [false, true].some((signsAreLetters) => {
      const seen = skeleton(reading, signsAreLetters);
      return phrases.some((phrase) => contains(seen, phrase));
    }),
  );
}

/**
 * True when the text is, or spells, one of the texts that account keys are made from. Compared as a
 * whole: the relayer names those texts, and could otherwise have every text refused.
 */
export function isKeySeed(text: string, seeds: readonly string[]): boolean {
  const spelled = (of: string) => readings(of).map((reading) => skeleton(reading, false) || reading);
  const seen = spelled(text);
  return seeds.some((seed) => spelled(seed).some((one) => seen.includes(one)));
}
