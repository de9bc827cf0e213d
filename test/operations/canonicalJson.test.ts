import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, test } from 'vitest';
import { canonicalJson, digestOf } from '../../src/operations/canonicalJson.ts';

test('equal data has one text, in whatever order it was built, at every depth', () => {
  const text = '{"a":[{"x":1,"y":null},"s",true],"b":{"c":"\\"","d":0}}';
  expect(canonicalJson({ b: { d: 0, c: '"' }, a: [{ y: null, x: 1 }, 's', true] })).toBe(text);
  expect(canonicalJson({ a: [{ x: 1, y: null }, 's', true], b: { c: '"', d: 0 } })).toBe(text);
  expect(canonicalJson(Object.fromEntries(['c', 'b', 'd', 'a'].map((key) => [key, key])))).toBe(
    '{"a":"a","b":"b","c":"c","d":"d"}',
  );
});

test('what is not there is as what is left out, and nothing else is', () => {
  expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  expect(canonicalJson([undefined, null])).toBe('[null,null]');
  expect(canonicalJson(undefined)).toBe('null');
  expect(canonicalJson(null)).toBe('null');
  expect(canonicalJson([])).toBe('[]');
  expect(canonicalJson({})).toBe('{}');
});

test('other data has another digest: SHA-256 over the text', () => {
  expect(digestOf({ b: 1, a: 2 })).toBe(`0x${bytesToHex(sha256(utf8ToBytes('{"a":2,"b":1}')))}`);
  const digests = [{ a: 1 }, { a: '1' }, { a: [1] }, { b: 1 }, {}, [], null, 'a', { a: { a: 1 } }].map(digestOf);
  expect(new Set(digests).size).toBe(digests.length);
});
