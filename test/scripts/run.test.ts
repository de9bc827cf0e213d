import { afterAll, expect, test } from 'vitest';
import { endChildren, run, stillRunning } from '../../scripts/prepare.mjs';

afterAll(endChildren);

test('a program has ended when it has, also when what it left running keeps its output open', async () => {
  const { code, output } = await run('sh', ['-c', 'sleep 60 & echo said'], { show: false });
  expect({ code, output }).toEqual({ code: 0, output: 'said\n' });
});

test('what still runs is named, with what it said last', async () => {
  const ended = run('sh', ['-c', 'echo begun; exec sleep 60'], { show: false });
  await expect.poll(() => stillRunning()).toEqual([expect.stringMatching(/^sh -c .*\n {2}begun$/)]);
  endChildren();
  expect(await ended).toEqual({ code: 128, output: 'begun\n' });
  expect(stillRunning()).toEqual([]);
});
