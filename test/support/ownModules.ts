import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/prepare.mjs';

const NO_UNIT_TESTS = ['e2e', 'foreign', 'bench'];
/** Replaces a module for itself, or runs the tests of another file. */
const NEEDS_OWN = /\bvi\.(?:mock|doMock|resetModules)\(|^import '[^']*\.test\.tsx?'/m;

/**
 * Unit test files that need modules of their own, not those that the file before them loaded. Those
 * of `test/crypto` run on one core or the other, which is chosen once for a process.
 * @returns Patterns from the root.
 */
export function ownModules(): string[] {
  const files = readdirSync(join(root, 'test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_UNIT_TESTS.includes(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(root, 'test', name), { recursive: true, encoding: 'utf8' }).map((file) =>
        join('test', name, file),
      ),
    )
    .filter((file) => /\.test\.tsx?$/.test(file) && NEEDS_OWN.test(readFileSync(join(root, file), 'utf8')));
  return ['test/crypto/**/*.test.ts', ...files];
}
