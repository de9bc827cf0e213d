import { sha256 } from '@noble/hashes/sha2.js';
import { english } from 'viem/accounts';
import { childKey, type ExtendedKey, HARDENED, masterKey } from './childKeys.ts';

/** m/44'/60'/0'/0 */
const PATH = [44 + HARDENED, 60 + HARDENED, HARDENED, 0];

/** As people type it: any spaces, any letter case. */
export const normalPhrase = (phrase: string): string => phrase.trim().toLowerCase().split(/\s+/).join(' ');

const bitsOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');

/** The checksum: the first bits of the SHA-256, one for each 32 of entropy. */
const checksum = (entropy: Uint8Array): string => bitsOf(sha256(entropy)).slice(0, entropy.length / 4);

/** BIP-39: 16 to 32 bytes of entropy as words of the English list. */
export function phraseOf(entropy: Uint8Array): string {
  const groups = (bitsOf(entropy) + checksum(entropy)).match(/.{11}/g) ?? [];
  return groups.map((bits) => english[Number.parseInt(bits, 2)]).join(' ');
}

/** Any words would give keys; a phrase whose checksum is wrong would open an empty account. */
function isPhrase(phrase: string): boolean {
  const words = phrase.split(' ');
  const indexes = words.map((word) => english.indexOf(word));
  if (words.length % 3 !== 0 || words.length < 12 || words.length > 24 || indexes.includes(-1)) return false;
  const bits = indexes.map((index) => index.toString(2).padStart(11, '0')).join('');
  const entropyBits = (words.length / 3) * 32;
  const entropy = Uint8Array.from(bits.slice(0, entropyBits).match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
  const isWhole = bits.slice(entropyBits) === checksum(entropy);
  entropy.fill(0);
  return isWhole;
}

/**
 * BIP-39: the 64 bytes that the keys of a phrase come from; no word of the English list has letters
 * that NFKD would change.
 */
async function seedOf(words: string): Promise<Uint8Array<ArrayBuffer>> {
  const { subtle } = crypto;
  const bytes = new TextEncoder().encode(words);
  const key = await subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits']);
  bytes.fill(0);
  const salt = new TextEncoder().encode('mnemonic');
  return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2048 }, key, 512));
}

/**
 * Derives `count` private keys of a recovery phrase from number `start` on, path
 * m/44'/60'/0'/0/number. The caller wipes them.
 * @returns 32 bytes each; `null` when a word is not in the list, or the words do not fit together.
 */
export async function phraseKeys(phrase: string, start: number, count: number): Promise<Uint8Array[] | null> {
  const words = normalPhrase(phrase);
  if (!isPhrase(words)) return null;
  const seed = await seedOf(words);
  let parent = masterKey(seed);
  seed.fill(0);
  try {
    for (const index of PATH) {
      const child = childKey(parent, index);
      wipe(parent);
      parent = child;
    }
    return Array.from({ length: count }, (_, offset) => {
      const { key, chainCode } = childKey(parent, start + offset);
      chainCode.fill(0);
      return key;
    });
  } finally {
    wipe(parent);
  }
}

function wipe({ key, chainCode }: ExtendedKey): void {
  key.fill(0);
  chainCode.fill(0);
}
