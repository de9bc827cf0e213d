import { expect, test } from 'vitest';
import { tellAgain } from '../../src/background/submissions/tellAgain.ts';
import { createHarness, draftOf, payload } from '../journal/harness.ts';
import { createFaultyArea } from '../support/faultyArea.ts';

/** A worker whose starts tell what has changed, and a submission that was signed an hour ago. */
async function signedBefore() {
  const harness = createHarness();
  const { clock } = harness;
  const journal = harness.start();
  const ports = { now: () => clock.ms, session: createFaultyArea().area };
  const { id } = await journal.reserve(draftOf());
  await journal.markSigned(id, payload);
  clock.ms += 3_600_000;
  /** States that a start tells, unless it is stopped by `stop`. */
  const start = async (stop?: Error) => {
    const told: string[] = [];
    await tellAgain({ journal, ports } as never, async ({ state }) => {
      if (stop) throw stop;
      told.push(state);
    });
    return told;
  };
  return { clock, journal, start, end: () => journal.markFinal(id, 'processed') };
}

test.each([
  ['is right', 0],
  ['was set back by seconds', -5_000],
  ['was set back by two days', -172_800_000],
])('an end that was not told is told at the next start while the clock %s', async (_clock, moved) => {
  const { clock, start, end } = await signedBefore();
  expect(await start()).toEqual([]);
  clock.ms += 2_000 + moved;
  await end();
  clock.ms += 600_000;
  expect(await start()).toEqual(['processed']);
  clock.ms += 3_600_000;
  expect(await start()).toEqual([]);
});

test('an end of days ago is told no more, whatever the clock was set back by', async () => {
  const { clock, start, end } = await signedBefore();
  await end();
  clock.ms += 259_200_000;
  await start();
  clock.ms -= 86_400_000;
  expect(await start()).toEqual([]);
});

test('of several changes the last submission is told last', async () => {
  const { journal, start, end } = await signedBefore();
  await start();
  await end();
  const { id } = await journal.reserve(draftOf());
  await journal.markSigned(id, payload);
  expect(await start()).toEqual(['processed', 'signed']);
});

test('a start that was stopped while it told is repeated by the next one', async () => {
  const { clock, start, end } = await signedBefore();
  await start();
  await end();
  // Longer than a clock may have been set back unnoticed.
  clock.ms += 120_000;
  await expect(start(new Error('stopped'))).rejects.toThrow('stopped');
  expect(await start()).toEqual(['processed']);
});

test('nothing is stored before there is a wallet', async () => {
  const { area, dump } = createFaultyArea();
  const ports = { now: () => 1, session: area };
  await tellAgain({ journal: createHarness().start(), ports }, async () => {});
  expect(dump()).toBe('');
});
