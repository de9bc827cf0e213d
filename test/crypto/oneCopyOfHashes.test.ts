import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { Random } from '../support/random.ts';

type Hash = (bytes: Uint8Array) => Uint8Array;

/** The copies that the build of the extension puts in the place of ours. */
const ofViem = createRequire(fileURLToPath(import.meta.resolve('viem')));
const inBundle = { ...ofViem('@noble/hashes/sha2.js'), ...ofViem('@noble/hashes/sha3.js') } as Record<string, Hash>;

test.each([
  ['sha256', sha256],
  ['sha512', sha512],
  ['keccak_256', keccak_256],
] as const)('%s of the version that viem brings is ours, at every length around its blocks', (name, ours) => {
  const theirs = inBundle[name];
  expect(theirs).not.toBe(ours);
  const random = new Random(0x5eedn);
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from({ length }, () => random.index(256));
    expect(theirs?.(bytes)).toEqual(ours(bytes));
  }
});
