import { promisifyRequest } from 'idb-keyval';
import { expect, test } from 'vitest';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { createHarness, draftOf, payload } from './harness.ts';

const NEVER = -Infinity;
const seqOf = ({ seq }: SubmissionRecord) => seq;

/** A journal with so many open submissions, numbered from 1 in the order of their ids. */
async function withOpen(count: number) {
  const harness = createHarness();
  const journal = harness.start();
  for (let n = 0; n < count; n++) {
    const { id } = await journal.reserve(draftOf());
    await journal.markSigned(id, payload);
  }
  return { ...harness, journal };
}

test('finds the earliest of all open submissions, wherever it is', async () => {
  const { journal } = await withOpen(40);
  for (const first of [1, 16, 17, 40]) {
    const timeOf = ({ seq }: SubmissionRecord) => (seq === first ? 5 : 1_000 + seq);
    expect(await journal.earliestPending(timeOf, NEVER)).toBe(5);
  }
});

test('stops reading at the first that is early enough', async () => {
  const { start } = await withOpen(40);
  const journal = start();
  const read: number[] = [];
  const timeOf = ({ seq }: SubmissionRecord) => {
    read.push(seq);
    return seq === 3 ? 100 : 1_000;
  };
  expect(await journal.earliestPending(timeOf, 100)).toBe(100);
  expect(read).toHaveLength(16);
});

test('reads nothing when the one that was moved last is early enough, and is still open', async () => {
  const { journal } = await withOpen(3);
  const read: number[] = [];
  const timeOf = ({ seq }: SubmissionRecord) => {
    read.push(seq);
    return seq;
  };
  expect(await journal.earliestPending(timeOf, 3)).toBe(3);
  expect(read).toEqual([3]);
  const [, , last] = await journal.pending();
  await journal.markFinal(last?.id ?? '', 'processed');
  expect(await journal.earliestPending(timeOf, 3)).toBe(1);
  const [first] = await journal.pending();
  await journal.markUnanswered(first?.id ?? '', { code: 'network', message: 'no answer', outcome: 'unknown' });
  await journal.markAcknowledged(first?.id ?? '', {});
});

test('leaves out what is final, what cannot be read and what does not count', async () => {
  const { journal, store } = await withOpen(4);
  const [final, damaged] = await journal.pending();
  await journal.markFinal(final?.id ?? '', 'processed');
  await store('readwrite', (objects) =>
    promisifyRequest(objects.put({ id: damaged?.id }, ['submission', damaged?.id ?? ''])),
  );
  expect(await journal.earliestPending(seqOf, NEVER)).toBe(3);
  expect(await journal.earliestPending((record) => (record.seq === 3 ? undefined : record.seq), NEVER)).toBe(4);
  expect(await journal.earliestPending(() => undefined, NEVER)).toBeUndefined();
  expect(await createHarness().start().earliestPending(seqOf, NEVER)).toBeUndefined();
});
