import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { polyfillAsModule } from '../../scripts/build/polyfillAsModule.ts';
import { root } from '../../scripts/prepare.mjs';

const path = createRequire(import.meta.url).resolve('webextension-polyfill');
const transform = polyfillAsModule().transform as unknown as (code: string, id: string) => { code: string } | null;
const code = readFileSync(path, 'utf8');

const apisOf = (text: string) =>
  Object.keys(JSON.parse(/const apiMetadata = (\{.*?\});/s.exec(text)?.[1] ?? '{}') as object);

test('the polyfill in the build describes each API that the extension uses', () => {
  const built = transform(code, path)?.code ?? '';
  const used = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/\bbrowser\.([a-z]\w*)/g)].map(([, api]) => api),
    );
  expect(apisOf(built)).toEqual(apisOf(code).filter((api) => used.includes(api)));
  expect(apisOf(built)).toContain('storage');
  expect(built.length).toBeLessThan(code.length * 0.75);
});

test('another module stays as it is, and a package without a list stops the build', () => {
  expect(transform(code, '/src/browser-polyfill.js')).toBeNull();
  expect(() => transform('module.exports = {}', path)).toThrow('holds no list of APIs');
});
