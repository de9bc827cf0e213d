import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../../scripts/prepare.mjs';
import { git, importersOf, modulesOf, reachedTests } from '../reachedTests.mjs';

const modules = [
  'src/journal/rule.ts',
  'src/journal/createJournal.ts',
  'src/journal/reserveSlot.ts',
  'test/scripts/reachedTests.test.ts',
  'test/reachedTests.mjs',
];

test('a change reaches the tests that import it, directly before by others, and no other', () => {
  const importers = importersOf(modules);
  expect(importers.get('src/journal/rule.ts')).toContain('src/journal/createJournal.ts');
  expect(reachedTests(['test/reachedTests.mjs'], importers)).toEqual(['test/scripts/reachedTests.test.ts']);
  const chain = new Map([
    ['a.ts', ['b.ts', 'test/near.test.ts']],
    ['b.ts', ['test/far.test.ts', 'test/e2e/browser.test.ts']],
  ]);
  expect(reachedTests(['a.ts'], chain)).toEqual(['test/near.test.ts', 'test/far.test.ts']);
  expect(reachedTests(['test/near.test.ts'], chain)).toEqual(['test/near.test.ts']);
  const benches = ['test/bench/support/report.test.ts', 'test/bench/peers/theirs/own.test.ts'];
  expect(reachedTests(benches, chain)).toEqual(benches.slice(0, 1));
});

test('a file that was deleted or moved is no module, and no repository but its own is asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'));
  const hooked = join(folder, 'other.git');
  try {
    mkdirSync(join(folder, 'src'));
    // As in a git hook.
    vi.stubEnv('GIT_DIR', hooked);
    for (const name of ['kept', 'deleted', 'moved']) writeFileSync(join(folder, `src/${name}.ts`), '');
    git(['init', '--quiet'], folder);
    git(['add', '.'], folder);
    git(['mv', 'src/moved.ts', 'src/there.ts'], folder);
    rmSync(join(folder, 'src/deleted.ts'));
    expect(modulesOf(folder)).toEqual(['src/kept.ts', 'src/there.ts']);
    expect(existsSync(hooked)).toBe(false);
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

test('npm run check holds only when each part of it came to its end', async () => {
  const { code, output } = await run('npm', ['run', '--silent', 'check', '--', '--seconds', '0.2'], { show: false });
  expect(code, output).toBe(1);
  const [, parts = ''] = /The time did not suffice for: (.*)\.\n0 failed, 4 did not end\.\n$/.exec(output) ?? [];
  expect(parts.split(', ').sort()).toEqual([
    'architecture and references',
    'lint',
    'types',
    'types of the pure folders',
  ]);
  const { code: wrong, output: said } = await run('npm', ['run', '--silent', 'check', '--', '--seconds', 'x'], {
    show: false,
  });
  expect([wrong, said]).toEqual([2, '--seconds: a number above zero, not x\n']);
});
