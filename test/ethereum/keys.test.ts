import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { getAddress, hashMessage } from 'viem';
import { HDKey, privateKeyToAccount, sign } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { checksummed, readAddress } from '../../src/ethereum/address.ts';
import { childKey, HARDENED, masterKey } from '../../src/ethereum/childKeys.ts';
import { personalMessageDigest } from '../../src/ethereum/personalMessage.ts';
import { addressOfKey, recoverAddress, signDigest } from '../../src/ethereum/signature.ts';
import { Random } from '../support/random.ts';

const random = new Random(0xe7e7n);
const bytes = (length: number) => Uint8Array.from({ length }, () => random.index(256));
const hexOf = (data: Uint8Array) => `0x${bytesToHex(data)}` as const;
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const keyOf = (number: bigint) => hexToBytes(number.toString(16).padStart(64, '0'));

test('addresses have the checksum that viem gives them, whatever letters they come in', () => {
  for (let i = 0; i < 200; i++) {
    const address = hexOf(bytes(20));
    expect(readAddress(address)).toBe(getAddress(address));
    expect(checksummed(`0x${address.slice(2).toUpperCase()}`)).toBe(getAddress(address));
  }
  for (const wrong of ['', '0x', `0x${'1'.repeat(39)}`, `0x${'1'.repeat(41)}`, `0x${'g'.repeat(40)}`])
    expect(() => readAddress(wrong)).toThrow(RangeError);
});

test('digests of personal messages are those of viem, of texts and of bytes', () => {
  for (const text of ['', 'a', 'ä€😀', 'x'.repeat(300)]) expect(personalMessageDigest(text)).toBe(hashMessage(text));
  for (const length of [0, 1, 32, 100]) {
    const raw = bytes(length);
    expect(personalMessageDigest(raw)).toBe(hashMessage({ raw }));
  }
});

describe('signatures', () => {
  test('are those of viem, and recover to the address of the key with one of the two bits', async () => {
    const keys = [keyOf(1n), keyOf(2n), keyOf(ORDER - 1n), ...Array.from({ length: 60 }, () => bytes(32))];
    for (const key of keys) {
      const digest = hexOf(bytes(32));
      const address = addressOfKey(key);
      expect(address).toBe(privateKeyToAccount(hexOf(key)).address);
      const signature = signDigest(digest, key);
      expect(hexOf(signature)).toBe(await sign({ hash: digest, privateKey: hexOf(key), to: 'hex' }));
      const bit = ((signature[64] as number) - 27) as 0 | 1;
      expect(recoverAddress(digest, signature.subarray(0, 64), bit)).toBe(address);
      expect(recoverAddress(digest, signature.subarray(0, 64), bit === 0 ? 1 : 0)).not.toBe(address);
    }
  });

  test('with the other s recover as well: hardware signers may make them', () => {
    const key = bytes(32);
    const digest = hexOf(bytes(32));
    const signature = signDigest(digest, key);
    const s = BigInt(hexOf(signature.subarray(32, 64)));
    const other = new Uint8Array([...signature.subarray(0, 32), ...keyOf(ORDER - s)]);
    expect(recoverAddress(digest, other, signature[64] === 27 ? 1 : 0)).toBe(addressOfKey(key));
  });

  test('that nobody can have made recover to nobody', () => {
    const digest = hexOf(bytes(32));
    expect(recoverAddress(digest, new Uint8Array(64), 0)).toBeNull();
    expect(recoverAddress(digest, new Uint8Array(64).fill(0xff), 1)).toBeNull();
    expect(recoverAddress(digest, bytes(63), 0)).toBeNull();
  });

  test('are made with no key of 0, of the order or of another length', () => {
    for (const key of [keyOf(0n), keyOf(ORDER), bytes(31), bytes(33)]) {
      expect(() => signDigest(hexOf(bytes(32)), key)).toThrow();
      expect(() => addressOfKey(key)).toThrow();
    }
  });
});

describe('keys below a seed', () => {
  /**
   * Test vectors 1 and 3 of BIP-32: seed, path, private key. The third has a key that begins with
   * zeros.
   */
  test.each([
    ['000102030405060708090a0b0c0d0e0f', [], 'e8f32e723decf4051aefac8e2c93c9c5b214313817cdb01a1494b917c8436b35'],
    [
      '000102030405060708090a0b0c0d0e0f',
      [HARDENED, 1, 2 + HARDENED, 2, 1_000_000_000],
      '471b76e389e528d6de6d816857e012c5455051cad6660850e58372a6c3e6e7c8',
    ],
    [
      '4b381541583be4423346c643850da4b320e46a87ae3d2a4e6da11eba819cd4acba45d239319ac14f863b8d5ab5a0d0c64d2e8a1e7d1457df2e5a3c51c73235be',
      [HARDENED],
      '491f7a2eebc7b57028e0d3faa0acda02e75c33b03c48fb288c41e2ea44e1daef',
    ],
  ])('%s %o', (seed, path, key) => {
    expect(bytesToHex(path.reduce(childKey, masterKey(hexToBytes(seed))).key)).toBe(key);
  });

  test('are those of the library of viem, and the parents stay whole', () => {
    for (let i = 0; i < 20; i++) {
      const seed = bytes(64);
      const path = Array.from({ length: 5 }, () => random.index(2 ** 31) + (random.index(2) ? HARDENED : 0));
      const text = path.map((number) => (number < HARDENED ? `/${number}` : `/${number - HARDENED}'`)).join('');
      const theirs = HDKey.fromMasterSeed(seed).derive(`m${text}`);
      const ours = path.reduce(childKey, masterKey(seed));
      expect(bytesToHex(ours.key)).toBe(bytesToHex(theirs.privateKey as Uint8Array));
      const before = bytesToHex(ours.key);
      childKey(ours, 0);
      expect(bytesToHex(ours.key)).toBe(before);
    }
  });
});
