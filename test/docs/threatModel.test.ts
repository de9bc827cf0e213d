import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/prepare.mjs';

/** The table of `docs/threat-model.md`: threat, guard, and the tests that show it. */
const rows = readFileSync(join(root, 'docs/threat-model.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => {
    const [, number = '', threat = '', guard = '', shownBy = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { number: Number(number), threat, guard, shownBy };
  });

/** Files in a cell, each with the titles that are quoted behind it. */
const citedIn = (cell: string) =>
  [...cell.matchAll(/`((?:src|test)\/[\w./-]+)`((?:[^`“]*“[^”]+”)*)/g)].map(([, path = '', behind = '']) => ({
    path,
    titles: [...behind.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
  }));

const written = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'");

test('each threat has one row, in order, and numbers stay what they were', () => {
  const numbers = rows.map(({ number }) => number);
  expect(numbers.length).toBeGreaterThanOrEqual(46);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test.each(rows)('threat $number points at the code of its guard', ({ guard }) => {
  const paths = citedIn(guard).map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('src/'))).not.toEqual([]);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(rows)('threat $number names tests, and each title stands in its file', ({ shownBy }) => {
  const cited = citedIn(shownBy);
  expect(cited.flatMap(({ titles }) => titles)).not.toEqual([]);
  const missing = cited.flatMap(({ path, titles }) =>
    existsSync(join(root, path)) ? titles.filter((title) => !written(path).includes(title)) : [path],
  );
  expect(missing).toEqual([]);
});
