/**
 * Freezes what the language shares between all modules of the worker, before any of them keeps a
 * secret: a hostile dependency that patches `Promise.prototype.then` or `Uint8Array.prototype.set`
 * later changes nothing. It is no wall between modules; what a hostile module does while it is
 * loaded, before this one runs, is not undone.
 *
 * Prototypes whose properties programs shadow by assignment on their own objects (`error.name = …`)
 * get accessors that define the shadow on the receiver, because a frozen plain property refuses
 * that.
 */
export function hardenIntrinsics(realm: typeof globalThis = globalThis): void {
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { ownKeys } = Reflect;
  const scope = realm as unknown as Record<string, unknown>;

  function shadowable(prototype: object): void {
    for (const key of ownKeys(prototype)) {
      const found = getOwnPropertyDescriptor(prototype, key);
      if (!found?.configurable || !('value' in found) || key === 'constructor') continue;
      const { value, enumerable = false } = found;
      defineProperty(prototype, key, {
        get: () => value,
        set(this: unknown, shadow: unknown) {
          if (this === prototype || (typeof this !== 'object' && typeof this !== 'function') || this === null)
            throw new TypeError('frozen');
          defineProperty(this, key, { value: shadow, writable: true, enumerable: true, configurable: true });
        },
        enumerable,
        configurable: false,
      });
    }
  }

  for (const name of shadowed) {
    const { prototype } = scope[name] as { prototype: object };
    shadowable(prototype);
    freeze(prototype);
    if (name !== 'Error') freeze(scope[name]);
  }
  for (const name of frozen) {
    const found = scope[name] as { prototype?: object } | undefined;
    if (found === undefined) continue;
    if (found.prototype) freeze(found.prototype);
    freeze(found);
  }
  // Hidden parents: of all typed arrays, iterators, generators and asynchronous functions.
  const typedArray = getPrototypeOf(Uint8Array) as { prototype: object };
  const hidden = [
    typedArray.prototype,
    typedArray,
    getPrototypeOf([][Symbol.iterator]()),
    getPrototypeOf(getPrototypeOf([][Symbol.iterator]())),
    getPrototypeOf(async () => {}),
    getPrototypeOf(function* () {}),
    getPrototypeOf(async function* () {}),
  ];
  for (const object of hidden) freeze(object);
  // The ways out, and what keys pass through.
  for (const name of bindings) {
    const value = scope[name];
    if (value !== undefined)
      defineProperty(realm, name, { value, writable: false, enumerable: false, configurable: false });
  }
}

const shadowed = ['Object', 'Function', 'Error'] as const;
const frozen = [
  'Promise',
  'Array',
  'String',
  'Number',
  'BigInt',
  'Boolean',
  'Symbol',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'RegExp',
  'Date',
  'JSON',
  'Math',
  'Reflect',
  'Proxy',
  'ArrayBuffer',
  'DataView',
  'Uint8Array',
  'Uint16Array',
  'Uint32Array',
  'BigUint64Array',
  'TextEncoder',
  'TextDecoder',
  'Crypto',
  'SubtleCrypto',
  'CryptoKey',
  'Headers',
  'Request',
  'Response',
  'IDBObjectStore',
  'IDBDatabase',
  'IDBRequest',
] as const;
const bindings = [...shadowed, ...frozen, 'fetch', 'crypto', 'atob', 'btoa', 'WebAssembly'] as const;
