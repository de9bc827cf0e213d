import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from '../../scripts/prepare.mjs';

test('the bench of the interface measures every wait that has a budget', async () => {
  const { code, output } = await run('npm', ['run', '--silent', 'bench', '--', 'ui', '--short'], { show: false });
  expect(code, output).toBe(0);
  const { rows } = JSON.parse(await readFile(join(root, 'out/bench/ui.short.json'), 'utf8')) as {
    rows: { what: string; ours: number; theirs?: number; ratio?: number }[];
  };
  expect(rows).toHaveLength(9);
  for (const { what, ours, theirs = ours, ratio = 1 } of rows)
    expect(Math.min(ours, theirs, ratio), what).toBeGreaterThan(0);
});
