import { expect, test } from 'vitest';
import { newerInSlot } from '../../src/background/approvals/newerInSlot.ts';
import type { SubmissionRecord } from '../../src/journal/index.ts';
import { createHarness, draftOf, payload } from '../journal/harness.ts';

/** An order at storage id 20, and the later requests that a test reserves. */
async function openOrder() {
  const journal = createHarness().start();
  const at = { tokenId: 1, parity: 'order' as const, nextFromRelayer: 20 };
  const reserve = (slot: object = {}, changes: object = {}) =>
    journal.reserve(draftOf(changes), { slot: { ...at, ...slot } });
  const order = await reserve();
  return { order, reserve, journal, newer: (storageId?: number) => newerInSlot({ journal }, order, storageId) };
}

test('of the requests that took the slot of an order the newest is named', async () => {
  const { order, reserve, newer } = await openOrder();
  expect(await newer()).toBeUndefined();
  const next = await reserve({ reuse: 20 });
  expect(next.slot?.storageId).toBe(20 + 2 ** 14);
  expect((await newer())?.id).toBe(next.id);
  const last = await reserve({ reuse: 20 });
  expect((await newer())?.id).toBe(last.id);
  // What is asked about is a later id of the slot.
  expect((await newer(next.slot?.storageId))?.id).toBe(last.id);
  expect(await newer(last.slot?.storageId)).toBeUndefined();
  expect(order.slot?.storageId).toBe(20);
});

test('neither another slot nor another token, account or kind of request takes it', async () => {
  const { reserve, newer } = await openOrder();
  await reserve();
  await reserve({ tokenId: 2, nextFromRelayer: 20 + 2 ** 14 });
  await reserve({ parity: 'offchain', nextFromRelayer: 21 + 2 ** 14 });
  await reserve({ nextFromRelayer: 20 + 2 ** 14 }, { accountId: 10_006 });
  expect(await newer()).toBeUndefined();
});

test('a request that has ended takes it no more', async () => {
  const { reserve, newer, journal } = await openOrder();
  const next = await reserve({ reuse: 20 });
  await journal.markSigned(next.id, payload);
  await journal.markSent(next.id);
  expect((await newer())?.id).toBe(next.id);
  await journal.markFinal(next.id, 'cancelled');
  expect(await newer()).toBeUndefined();
});

test('a request does not take its own slot, and one without a storage id has none', async () => {
  const { order, reserve, journal } = await openOrder();
  const next = await reserve({ reuse: 20 });
  const without = await journal.reserve(draftOf({ operation: 'updateAccountKey' }));
  expect(without.slot).toBeUndefined();
  expect(await newerInSlot({ journal }, next, 20)).toBeUndefined();
  const bare = { ...order, slot: undefined } as unknown as SubmissionRecord;
  expect(await newerInSlot({ journal }, bare)).toBeUndefined();
});
