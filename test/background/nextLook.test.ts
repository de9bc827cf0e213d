import { expect, test } from 'vitest';
import { createSubmissions } from '../../src/background/submissions/submissions.ts';
import { createHarness, draftOf, payload } from '../journal/harness.ts';

/** A journal, and its submissions at a time that the test sets. */
function open() {
  const harness = createHarness();
  const journal = harness.start();
  const unused = {} as never;
  const submissions = createSubmissions({
    clock: { now: () => harness.clock.ms, sleep: unused },
    journal,
    ...{ config: unused, relayers: unused, accountKeys: unused, requests: unused },
  });
  const sign = async () => {
    const { id } = await journal.reserve(draftOf());
    return journal.markSigned(id, payload);
  };
  return { clock: harness.clock, journal, sign, nextDueAt: submissions.nextDueAt, submissions };
}

/** Milliseconds from the approval of a submission to its last change, and when that was. */
function timesOf({ history }: { readonly history: readonly { readonly at: number }[] }) {
  const last = history.at(-1)?.at ?? 0;
  return { last, age: last - (history[0]?.at ?? 0) };
}

test('nothing that is not settled plans no look', async () => {
  const { journal, sign, nextDueAt } = open();
  const { id } = await sign();
  await journal.markFinal(id, 'processed');
  await journal.reserve(draftOf());
  expect(await nextDueAt()).toBeUndefined();
});

test('the next look is the earliest, among more submissions than are read at once', async () => {
  const { clock, journal, sign, nextDueAt } = open();
  const old = [];
  for (let n = 0; n < 20; n++) old.push(await sign());
  clock.ms += 3_600_000;
  const acknowledge = async ({ id }: { readonly id: string }) => timesOf(await journal.markAcknowledged(id, {}));
  const first = await acknowledge(old[0] as { readonly id: string });
  for (const one of old.slice(1)) await acknowledge(one);
  // A submission is looked at after a quarter of its age, and at the latest after ten minutes.
  expect(await nextDueAt()).toBe(first.last + 600_000);
  const younger = await sign();
  clock.ms += 20_000;
  const { last, age } = await acknowledge(younger);
  expect(await nextDueAt()).toBe(last + age / 4);
});

test('what is due is looked at no sooner than in two seconds', async () => {
  const { clock, sign, nextDueAt } = open();
  await sign();
  clock.ms += 60_000;
  expect(await nextDueAt()).toBe(clock.ms + 2_000);
});

test('what a wallet contract may have approved is looked at every minute at the latest', async () => {
  const { clock, journal, nextDueAt } = open();
  const { id } = await journal.reserve(draftOf());
  const bodyText = JSON.stringify({ hashApproved: '0x7' });
  await journal.markSigned(id, { ...payload, wire: { endpoint: 'submitTransfer', bodyText } });
  clock.ms += 3_500_000;
  await journal.markSent(id);
  const refused = { code: 104_005, message: 'no', outcome: 'refused' } as const;
  const { last } = timesOf(await journal.markUnanswered(id, refused));
  expect(await nextDueAt()).toBe(last + 60_000);
});

test('a refused submission that is still looked up plans a look of its own', async () => {
  const { clock, journal, sign, nextDueAt } = open();
  const { id } = await sign();
  await journal.markSent(id);
  clock.ms += 10_000;
  const refused = await journal.markRefused(id, { code: 102_004, message: 'no', outcome: 'refused' });
  const { last, age } = timesOf(refused);
  expect(await nextDueAt()).toBe(last + age);
  await journal.markWatched(refused, null);
  expect(await nextDueAt()).toBeUndefined();
});

test('a submission of an operation that only a newer version has keeps no other from being looked at', async () => {
  const { clock, journal, sign, nextDueAt } = open();
  const { id } = await journal.reserve({ ...draftOf(), operation: 'teleport' });
  await journal.markSigned(id, payload);
  expect(await nextDueAt()).toBe(clock.ms + 2_000);
  clock.ms += 3_600_000;
  await sign();
  expect(await nextDueAt()).toBe(clock.ms + 2_000);
});

test('what a clock that was ahead has dated is looked at as rarely as what is old', async () => {
  const { clock, journal, sign, nextDueAt, submissions } = open();
  const month = 30 * 86_400_000;
  clock.ms += month;
  const { id } = await journal.markAcknowledged((await sign()).id, {});
  const other = await sign();
  const refused = await journal.markRefused(other.id, { code: 102_004, message: 'no', outcome: 'refused' });
  clock.ms -= month - 86_400_000;
  /** From the end of a look to the next. */
  const waits = async (looked: string) => {
    await submissions.check(looked).catch(() => {});
    const at = clock.ms;
    return ((await nextDueAt()) ?? 0) - at;
  };
  await waits(refused.id);
  expect(Math.round((await waits(id)) / 60_000)).toBe(10);
  await journal.markFinal(id, 'processed');
  expect(Math.round((await waits(refused.id)) / 60_000)).toBe(40);
});
