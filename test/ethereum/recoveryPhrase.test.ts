import { createHmac } from 'node:crypto';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, test, vi } from 'vitest';
import * as childKeys from '../../src/ethereum/childKeys.ts';
import { normalPhrase, phraseKeys, phraseOf } from '../../src/ethereum/recoveryPhrase.ts';
import { wipedIn } from '../support/wipedIn.ts';

const repeated = (word: string, count: number, last: string) => `${`${word} `.repeat(count)}${last}`;
const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill);

/** Vectors of BIP-39. */
const VECTORS: [string, Uint8Array][] = [
  [repeated('abandon', 11, 'about'), bytes(16, 0)],
  ['legal winner thank year wave sausage worth useful legal winner thank yellow', bytes(16, 0x7f)],
  ['letter advice cage absurd amount doctor acoustic avoid letter advice cage above', bytes(16, 0x80)],
  [repeated('zoo', 11, 'wrong'), bytes(16, 0xff)],
  [repeated('abandon', 17, 'agent'), bytes(24, 0)],
  [repeated('abandon', 23, 'art'), bytes(32, 0)],
  [repeated('zoo', 23, 'vote'), bytes(32, 0xff)],
];

test.each(VECTORS)('“%s” is written for its bytes', (words, entropy) => {
  expect(phraseOf(entropy)).toBe(words);
});

const expectKeysOf = async (words: string) => {
  const keyAt = (index: number) =>
    Uint8Array.from(mnemonicToAccount(words, { addressIndex: index }).getHdKey().privateKey ?? []);
  expect(await phraseKeys(words, 0, 2)).toEqual([keyAt(0), keyAt(1)]);
  expect(await phraseKeys(words, 7, 1)).toEqual([keyAt(7)]);
};

test.each(VECTORS)('“%s” gives the keys that other wallets make of it', expectKeysOf);

test.each([20, 28])('the words of %i bytes give the keys that other wallets make of them', (length) =>
  expectKeysOf(phraseOf(bytes(length, 0x35))),
);

test('a phrase may begin with any word of the list', () => {
  const words = phraseOf(Uint8Array.of(0, 0x20, ...bytes(14, 0)));
  expect(words).toMatch(/^ability /);
  return expectKeysOf(words);
});

test('spaces and letter case do not matter', async () => {
  const [words = ''] = VECTORS[1] ?? [];
  const typed = `\n ${words.toUpperCase().replaceAll(' ', ' \t ')}  `;
  expect(normalPhrase(typed)).toBe(words);
  expect(await phraseKeys(typed, 0, 1)).toEqual(await phraseKeys(words, 0, 1));
});

describe('is refused', () => {
  const expectRefused = (words: string) => expect(phraseKeys(words, 0, 1)).resolves.toBeNull();

  test.each([
    ['nothing', ''],
    ['a phrase whose last word is another', repeated('abandon', 11, 'abandon')],
    [
      'a phrase with two words exchanged',
      'winner legal thank year wave sausage worth useful legal winner thank yellow',
    ],
    ['a word that is not in the list', repeated('abandon', 11, 'nobody')],
    ['one whose phrase would fit all the same', `nobody ${repeated('abandon', 10, 'about')}`],
    ['a word too many', repeated('abandon', 12, 'about')],
    ['a word too few', repeated('abandon', 10, 'about')],
  ])('%s', (_what, words) => expectRefused(words));

  test.each([12, 36])('a phrase of %i bytes', (length) => expectRefused(phraseOf(bytes(length, 0))));
});

test('of the keys only those that were asked for are left in memory', async () => {
  const made: childKeys.ExtendedKey[] = [];
  const { childKey, masterKey } = childKeys;
  const kept = (key: childKeys.ExtendedKey) => {
    made.push(key);
    return key;
  };
  const spies = [
    vi.spyOn(childKeys, 'masterKey').mockImplementation((seed) => kept(masterKey(seed))),
    vi.spyOn(childKeys, 'childKey').mockImplementation((...of) => kept(childKey(...of))),
  ];
  const keys = await phraseKeys(VECTORS[0]?.[0] ?? '', 3, 2);
  for (const spy of spies) spy.mockRestore();
  expect(made).toHaveLength(1 + 4 + 2);
  const isWiped = (bytes: Uint8Array) => bytes.every((byte) => byte === 0);
  expect(made.filter(({ key }) => !isWiped(key)).map(({ key }) => key)).toEqual(keys);
  expect(made.map(({ chainCode }) => isWiped(chainCode))).toEqual(made.map(() => true));
});

test('the bytes that the words are compared with are not left in memory', async () => {
  const wiped = await wipedIn(() => phraseKeys(phraseOf(bytes(16, 0x7f)), 0, 0));
  expect(wiped).toContain('7f'.repeat(16));
});

test('nothing that gives a key away is left by its derivation', async () => {
  const hexOf = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('hex');
  const [zero, first] = [Uint8Array.of(0), Uint8Array.of(0x80, 0, 0, 0)];
  const seed = bytes(64, 0x35);
  const { childKey, masterKey, HARDENED } = childKeys;
  const master = masterKey(seed);
  const { key, chainCode } = { key: master.key.slice(), chainCode: master.chainCode.slice() };
  expect(await wipedIn(() => masterKey(seed))).toContain(hexOf(key, chainCode));
  const digest = createHmac('sha512', chainCode)
    .update(Buffer.concat([zero, key, first]))
    .digest();
  expect(await wipedIn(() => childKey(master, HARDENED))).toEqual(
    expect.arrayContaining([hexOf(zero, key), hexOf(zero, key, first), hexOf(digest)]),
  );
});

test('neither the words nor the seed are left in memory', async () => {
  const { importKey, deriveBits } = crypto.subtle;
  const words: Uint8Array[] = [];
  const seeds: ArrayBuffer[] = [];
  const spies = [
    vi.spyOn(crypto.subtle, 'importKey').mockImplementation(((...of: Parameters<typeof importKey>) => {
      words.push(of[1] as unknown as Uint8Array);
      expect(of[3]).toBe(false);
      return importKey.apply(crypto.subtle, of);
    }) as typeof importKey),
    vi.spyOn(crypto.subtle, 'deriveBits').mockImplementation(async (...of) => {
      const seed = await deriveBits.apply(crypto.subtle, of);
      seeds.push(seed);
      return seed;
    }),
  ];
  await phraseKeys(VECTORS[0]?.[0] ?? '', 0, 1);
  for (const spy of spies) spy.mockRestore();
  expect(words.map((bytes) => bytes.every((byte) => byte === 0))).toEqual([true]);
  expect(seeds.map((seed) => new Uint8Array(seed))).toEqual([new Uint8Array(64)]);
});
