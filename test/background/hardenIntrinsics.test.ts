import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { transformWithOxc } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';

/** The module as a script: a realm of its own is hardened, so that this one stays as it is. */
let script: string;
beforeAll(async () => {
  const path = resolve(import.meta.dirname, '../../src/background/worker/hardenIntrinsics.ts');
  const { code } = await transformWithOxc(readFileSync(path, 'utf8'), path, { sourcemap: false });
  script = `${code.replace(/^export (default |\{.*)?/gm, '')}; hardenIntrinsics();`;
});

/**
 * Runs code in a fresh realm.
 * @param hardened - False: to see that the attack works without the guard.
 */
const inRealm = (code: string, hardened = true): unknown =>
  runInNewContext(`${hardened ? script : ''}\n${code}`, { TextEncoder, TextDecoder });

const attempt = (patch: string) =>
  `(() => { 'use strict'; try { ${patch}; return 'patched'; } catch (error) { return error.name; } })()`;

describe.each([
  ['a method of promises', 'Promise.prototype.then = () => {}'],
  ['a method of all typed arrays', 'Object.getPrototypeOf(Uint8Array.prototype).set = () => {}'],
  ['the iteration of arrays', 'Object.getPrototypeOf([][Symbol.iterator]()).next = () => {}'],
  ['JSON', 'JSON.stringify = () => {}'],
  ['a method of objects', 'Object.prototype.toString = () => {}'],
  ['a method of functions', 'Function.prototype.call = () => {}'],
  ['the maker of properties', 'Object.defineProperty = () => {}'],
  ['a global itself', 'globalThis.Promise = class {}'],
  ['a setter for a name that others use', "Object.defineProperty(Object.prototype, 'secretKey', { set() {} })"],
])('%s', (_what, patch) => {
  test('can be replaced before, and not after', () => {
    expect(inRealm(attempt(patch), false)).toBe('patched');
    expect(inRealm(attempt(patch))).toBe('TypeError');
  });
});

test('programs still shadow inherited names on their own objects, and subclass errors', () => {
  expect(
    inRealm(`(() => {
      'use strict';
      const own = {};
      own.toString = () => 'own';
      const error = new TypeError('x');
      error.name = 'Own';
      error.message = 'changed';
      class Failure extends Error { constructor() { super('f'); this.name = 'Failure'; } }
      const method = () => {};
      Object.assign(method, { call: 1 });
      return JSON.stringify([String(own), error.name, error.message, new Failure().name, String(new Failure()), [3, 1].sort(), Object.keys(own)]);
    })()`),
  ).toBe(JSON.stringify(['own', 'Own', 'changed', 'Failure', 'Failure: f', [1, 3], ['toString']]));
});
