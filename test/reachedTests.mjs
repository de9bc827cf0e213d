import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../scripts/prepare.mjs';

/** Folders whose tests are not unit tests. */
export const noUnitTests = ['test/e2e', 'test/foreign', 'test/bench/peers'];

const withoutGit = (env) => Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));

/**
 * Runs git for the repository of a folder, also in a git hook, whose environment names another.
 * @returns {string[]} what git prints, by lines.
 */
export const git = (args, cwd = root) =>
  execFileSync('git', args, {
    cwd,
    env: withoutGit(process.env),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .split('\n')
    .filter((line) => line !== '');

/** Files of a clone that import others or are imported, without those that were deleted. */
export const modulesOf = (folder) =>
  git(['ls-files', '--cached', '--others', '--exclude-standard'], folder).filter(
    (file) =>
      /^(?:src|test|scripts|examples|public)\/.*\.(?:ts|tsx|mjs|json)$/.test(file) && existsSync(join(folder, file)),
  );

/**
 * Each module with those that import it.
 * @param {Iterable<string>} files - Paths from the root.
 * @returns {Map<string, string[]>}
 */
export function importersOf(files) {
  const importers = new Map();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = resolve(root, dirname(file), path).slice(root.length + 1);
      importers.set(to, [...(importers.get(to) ?? []), file]);
    }
  }
  return importers;
}

/**
 * Unit test files that a change reaches, by the number of imports in between.
 * @param {Iterable<string>} changed
 * @param {ReadonlyMap<string, readonly string[]>} importers
 * @returns {string[]}
 */
export function reachedTests(changed, importers) {
  const seen = new Set(changed);
  for (const file of seen) for (const importer of importers.get(file) ?? []) seen.add(importer);
  return [...seen].filter(
    (file) => /^test\/.*\.test\.tsx?$/.test(file) && !noUnitTests.some((folder) => file.startsWith(`${folder}/`)),
  );
}
