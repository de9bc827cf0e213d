import { readFileSync } from 'node:fs';
import { keys, setMany } from 'idb-keyval';
import { expect, test } from 'vitest';
import { createHarness, cursorRef, draftOf, nextOf, slotRequest } from './harness.ts';

/**
 * A journal as its first version wrote it: one order to its end, one without an answer within a
 * standing approval, one reserved.
 */
async function firstForm() {
  const harness = createHarness();
  const sample = JSON.parse(readFileSync(new URL('./storedForms/1.json', import.meta.url), 'utf8'));
  await setMany(sample, harness.store);
  return harness.start();
}

test('a journal of the first version is read, goes on where it was, and gives no storage id a second time', async () => {
  const journal = await firstForm();
  expect((await journal.list()).map(({ id, state, version }) => [id, state, version])).toEqual([
    ['earlier-0003', 'reserved', 3],
    ['earlier-0002', 'sent', 3],
    ['earlier-0001', 'processed', 3],
  ]);
  await journal.resume();
  expect((await journal.get('earlier-0003'))?.state).toBe('abandoned');
  await journal.markAcknowledged('earlier-0002', { status: 'processing' });
  expect((await journal.get('earlier-0002'))?.state).toBe('acknowledged');
  expect(await nextOf(journal, cursorRef)).toBe(26);
  const next = await journal.reserve(draftOf({ requestId: 'another' }), { slot: slotRequest });
  expect(next.slot?.storageId).toBe(26);
  expect(next.version).toBe(3);
});

test('what a standing approval had used in the first version stays used', async () => {
  const journal = await firstForm();
  expect(await journal.getRule('rule-1')).toMatchObject({ status: 'open', spent: { sold: 1_000n } });
  const over = { ruleId: 'rule-1', amounts: { sold: 9_001n } };
  await expect(
    journal.reserve(draftOf({ requestId: 'another' }), { slot: slotRequest, spend: over }),
  ).rejects.toMatchObject({
    code: 'limit-exceeded',
  });
});

test('a request of two tokens is read from its form, and its end frees the id of both', async () => {
  const harness = createHarness();
  const sample = JSON.parse(readFileSync(new URL('./storedForms/3.json', import.meta.url), 'utf8'));
  await setMany(sample, harness.store);
  const journal = harness.start();
  const opened = async () => (await keys(harness.store)).filter((key) => String(key).startsWith('slot')).length;
  expect(await opened()).toBe(2);
  await journal.markAcknowledged('third-0001', { status: 'processing' });
  await journal.markFinal('third-0001', 'processed');
  expect(await opened()).toBe(0);
});
