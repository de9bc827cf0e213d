import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ALLOWED = ['@noble/curves/secp256k1.js', '@noble/hashes/blake2.js', '@noble/hashes/sha3.js', 'vitest'];
const IMPORT = /(?:^\s*import\s+|^\s*(?:import|export)\b[^'"]*?\bfrom\s+|\b(?:import|require)\(\s*)['"]([^'"]+)['"]/gm;
const product = resolve(import.meta.dirname, '../../../src');

/** Everything that a file reaches by imports: its own files, and the specifiers of packages. */
function reach(file: string, files: Set<string>, packages: Set<string>): void {
  if (files.has(file)) return;
  files.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
    if (specifier.startsWith('.')) reach(resolve(file, '..', specifier), files, packages);
    else packages.add(specifier);
}

it('is independent: nothing of the product is imported, and of packages only a hash, a curve and the test runner', () => {
  const files = new Set<string>();
  const packages = new Set<string>();
  const own = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name));
  for (const file of own) reach(file, files, packages);
  expect([...files].filter((file) => file.startsWith(product))).toEqual([]);
  expect([...files].filter((file) => !own.includes(file)).map((file) => file.split('/').at(-1))).toEqual([
    'relayerProcess.ts',
    'builtRelayer.ts',
    'prepare.mjs',
    'buildOnce.ts',
  ]);
  expect([...packages].filter((name) => !name.startsWith('node:')).sort()).toEqual(ALLOWED);
});
