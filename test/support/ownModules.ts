import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/prepare.mjs';
import { noUnitTests } from '../reachedTests.mjs';

/**
 * Replaces a module for itself, runs the tests of another file, or listens for what Node says once
 * in a process.
 */
const NEEDS_OWN = /\bvi\.(?:mock|doMock|resetModules)\(|^import '[^']*\.test\.tsx?'|^process\.on\('warning'/m;

/**
 * Unit test files that need modules of their own, not those that the file before them loaded, or a
 * process of their own. Those of `test/crypto` and `test/vectors` run on one core or the other,
 * which is chosen once for a process.
 * @returns Patterns from the root.
 */
export function ownModules(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return noUnitTests.includes(path) ? [] : below(path);
      return /\.test\.tsx?$/.test(path) && NEEDS_OWN.test(readFileSync(join(root, path), 'utf8')) ? [path] : [];
    });
  return ['test/crypto/**/*.test.ts', 'test/vectors/*.test.ts', ...below('test')];
}
