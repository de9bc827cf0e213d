import { expect, test } from 'vitest';
// @ts-expect-error plain JavaScript, which runs before anything is installed
import { importersOf, reachedTests } from '../reachedTests.mjs';

const modules = [
  'src/journal/rule.ts',
  'src/journal/createJournal.ts',
  'src/journal/reserveSlot.ts',
  'test/scripts/reachedTests.test.ts',
  'test/reachedTests.mjs',
];

test('a change reaches the tests that import it, directly before by others, and no other', () => {
  const importers: ReadonlyMap<string, readonly string[]> = importersOf(modules);
  expect(importers.get('src/journal/rule.ts')).toContain('src/journal/createJournal.ts');
  expect(reachedTests(['test/reachedTests.mjs'], importers)).toEqual(['test/scripts/reachedTests.test.ts']);
  const chain = new Map([
    ['a.ts', ['b.ts', 'test/near.test.ts']],
    ['b.ts', ['test/far.test.ts', 'test/e2e/browser.test.ts']],
  ]);
  expect(reachedTests(['a.ts'], chain)).toEqual(['test/near.test.ts', 'test/far.test.ts']);
  expect(reachedTests(['test/near.test.ts'], chain)).toEqual(['test/near.test.ts']);
});
