import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const files = readdirSync(join(root, 'test'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['e2e', 'foreign'].includes(entry.name))
  .flatMap(({ name }) =>
    readdirSync(join(root, 'test', name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
  )
  .filter((file) => /\.test\.tsx?$/.test(file) && !file.startsWith('bench/peers'));

/** Such a file has no test where the other one was loaded before. */
const runsAnother = (text: string) => /import '[^']*\.test\.tsx?'/.test(text);

test('files that run the tests of another file are where each has modules of its own', () => {
  const found = files.filter((file) => runsAnother(readFileSync(join(root, 'test', file), 'utf8')));
  expect(found).toContain('crypto/fast/eddsa.test.ts');
  expect(found.filter((file) => !file.startsWith('crypto/'))).toEqual([]);
});
