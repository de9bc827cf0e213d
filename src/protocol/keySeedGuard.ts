import { keySeedText } from './keyDerivation.ts';

/**
 * True for exactly the text that the wallet's own log-in signs, letter for letter. Nothing else is ever shown to a signer.
 */
export function isExactKeySeed(text: string, exchange: string, nonce: number): boolean {
  try {
    return text === keySeedText(exchange, nonce);
  } catch {
    return false;
  }
}

/**
 * Phrases from which wallets and exchanges derive keys by signature, this protocol's and others'. A signature over such a
 * text is a key, so no page may ask for one.
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
];

/** Letters that look like ASCII ones and survive NFKC: Cyrillic, Greek, Armenian, Latin variants. */
const CONFUSABLES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['a', 'аαɑа'],
    ['b', 'ЬьƅВβв'],
    ['c', 'сϲ'],
    ['d', 'ԁɗ'],
    ['e', 'еєεҽ℮'],
    ['f', 'ғƒ'],
    ['g', 'ɡցġ'],
    ['h', 'һհнη'],
    ['i', 'іιıɩї'],
    ['j', 'јϳ'],
    ['k', 'кκҝ'],
    ['l', 'ӏІⅼłǀ'],
    ['m', 'мṃ'],
    ['n', 'ոпɴν'],
    ['o', 'оοσօøð'],
    ['p', 'рρ'],
    ['q', 'ԛգ'],
    ['r', 'гɾʀ'],
    ['s', 'ѕꜱ'],
    ['t', 'тτŧ'],
    ['u', 'υսʋц'],
    ['v', 'ѵ'],
    ['w', 'ѡԝωш'],
    ['x', 'хχ×'],
    ['y', 'уүγʏ'],
    ['z', 'ᴢʐ'],
  ].flatMap(([plain, alike]) =>
    [...(alike as string)].flatMap((letter) => [
      [letter, plain as string],
      [letter.toLowerCase(), plain as string],
    ]),
  ),
);

/**
 * Reduces a text to what a hasty reader sees: compatibility forms unified, accents, invisible and control characters,
 * spaces and punctuation gone, look-alike letters folded. Phrases are reduced by the same rules before comparing.
 */
function skeleton(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase();
  let folded = '';
  for (const letter of plain) folded += CONFUSABLES[letter] ?? letter;
  return folded
    .normalize('NFKD')
    .replace(/[^a-z0-9]/g, '')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/5/g, 's')
    .replace(/3/g, 'e')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w');
}

const SEED_SKELETONS = SEED_PHRASES.map(skeleton);

/** The readings of a text: itself, and what its hex digits spell, also when that is hex again. */
function readings(text: string): string[] {
  const found = [text];
  let current = text;
  for (let depth = 0; depth < 3; depth++) {
    const digits = current.trim().replace(/^0x/i, '').replace(/\s/g, '');
    if (digits.length < 2 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) break;
    const bytes = Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    current = new TextDecoder().decode(bytes);
    found.push(current, new TextDecoder('utf-16le').decode(bytes));
  }
  return found;
}

/**
 * Guard before any signature that a page asks for: true when the text is, contains or looks like a seed from which an L2
 * key is derived, or names one of the exchanges. It rather refuses too much: a refused log-in text costs a sentence, a
 * signed seed costs the account.
 *
 * Sees through letter case, spacing, punctuation, invisible and control characters, accents, full-width and other
 * compatibility forms, look-alike letters, embedding in a longer text, and hex.
 * @param text - a personal_sign message as text or hex, or a typed-data document as JSON text.
 * @param exchanges - addresses of the configured exchanges; any text that contains one is refused.
 */
export function isKeySeedLike(text: string, exchanges: string | readonly string[] = []): boolean {
  const addresses = (typeof exchanges === 'string' ? [exchanges] : exchanges).map((exchange) =>
    skeleton(exchange.replace(/^0x/i, '')),
  );
  return readings(text).some((reading) => {
    const seen = skeleton(reading);
    return [...SEED_SKELETONS, ...addresses].some((phrase) => phrase.length > 0 && seen.includes(phrase));
  });
}
