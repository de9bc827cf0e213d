import { describe, expect, it } from 'vitest';
import { importDataKey, open, type Sealed, seal, sealedSchema } from '../../src/vault/seal.ts';

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const plain = Uint8Array.of(1, 2, 3);
const place = ['secret', 1];
const makeKey = () => importDataKey(random(32));
const isSealed = (value: unknown) => sealedSchema().safeParse(value).success;
const ofBytes = (length: number) => Buffer.alloc(length).toString('base64');

async function sealed(): Promise<{ key: CryptoKey; box: Sealed }> {
  const key = await makeKey();
  return { key, box: await seal(key, plain, place, random) };
}

describe('what is sealed', () => {
  it('opens with its key at its place', async () => {
    const { key, box } = await sealed();
    expect(await open(key, box, place)).toEqual(plain);
  });

  it('takes a nonce of 96 bits and ends with a tag of 128 bits', async () => {
    const { box } = await sealed();
    expect(Buffer.from(box.nonce, 'base64')).toHaveLength(12);
    expect(Buffer.from(box.data, 'base64')).toHaveLength(plain.length + 16);
    expect(isSealed(box)).toBe(true);
  });

  it.each([
    ['another name', ['other', 1]],
    ['another number', ['secret', 2]],
    ['a number as text', ['secret', '1']],
    ['its parts as one', ['secret,1']],
    ['nothing', []],
  ])('does not open at %s', async (_place, associated) => {
    const { key, box } = await sealed();
    expect(await open(key, box, associated)).toBeUndefined();
  });

  it('does not open with another key', async () => {
    const { box } = await sealed();
    expect(await open(await makeKey(), box, place)).toBeUndefined();
  });

  it.each(['nonce', 'data'] as const)('does not open when a bit of its %s is changed', async (part) => {
    const { key, box } = await sealed();
    const bytes = Buffer.from(box[part], 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(await open(key, { ...box, [part]: bytes.toString('base64') }, place)).toBeUndefined();
  });

  it('is not taken for damaged when the key may not open anything: that failure is told', async () => {
    const { box } = await sealed();
    const blind = await crypto.subtle.importKey('raw', random(32), 'AES-GCM', false, ['encrypt']);
    await expect(open(blind, box, place)).rejects.toMatchObject({ name: 'InvalidAccessError' });
  });
});

describe('the form of what is sealed', () => {
  it.each([
    ['a nonce of 96 bits and a tag', { nonce: ofBytes(12), data: ofBytes(16) }, true],
    ['a longer nonce', { nonce: ofBytes(15), data: ofBytes(16) }, false],
    ['a shorter nonce', { nonce: ofBytes(9), data: ofBytes(16) }, false],

    ['far less than a tag', { nonce: ofBytes(12), data: ofBytes(12) }, false],
    ['a nonce that is no base64', { nonce: '!'.repeat(16), data: ofBytes(16) }, false],
    ['data that are no base64', { nonce: ofBytes(12), data: '!'.repeat(24) }, false],
    ['anything besides', { nonce: ofBytes(12), data: ofBytes(16), more: 1 }, false],
    ['no data', { nonce: ofBytes(12) }, false],
  ])('%s: %s', (_name, value, is) => {
    expect(isSealed(value)).toBe(is);
  });
});

describe('a data key', () => {
  it.each([0, 16, 24, 31, 33])('of %i bytes is none', async (length) => {
    await expect(importDataKey(random(length))).rejects.toMatchObject({
      name: 'VaultError',
      code: 'corrupt',
      message: expect.stringContaining('the data key has a wrong length'),
    });
  });

  it('seals and opens and does nothing else, and nobody reads it', async () => {
    const key = await makeKey();
    expect(key).toMatchObject({ extractable: false, algorithm: { name: 'AES-GCM', length: 256 } });
    expect([...key.usages].sort()).toEqual(['decrypt', 'encrypt']);
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  });
});
