import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argon2id } from 'hash-wasm';
import { expect, test } from 'vitest';
import { compactWasm } from '../../scripts/build/compactWasm.ts';
import { root } from '../../scripts/prepare.mjs';

const path = join(root, 'node_modules/hash-wasm/dist/index.esm.js');
const transform = compactWasm().transform as unknown as (code: string, id: string) => { code: string } | null;

test('the key derivation in the build is that of the package', async () => {
  const { code } = transform(readFileSync(path, 'utf8'), path) ?? { code: '' };
  expect(code).not.toContain('"AGFzbQEAAAA');
  const built = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { argon2id: typeof argon2id };
  const input = {
    password: 'correct horse',
    salt: new Uint8Array(16).fill(7),
    parallelism: 1,
    iterations: 2,
    memorySize: 64,
    hashLength: 32,
    outputType: 'hex',
  } as const;
  expect(await built.argon2id(input)).toBe(await argon2id(input));
});

test('another module stays as it is, and a package without programs stops the build', () => {
  expect(transform('export const program = "AGFzbQEAAAAB"', '/src/index.esm.js')).toBeNull();
  expect(() => transform('export {}', path)).toThrow('holds no programs');
});
