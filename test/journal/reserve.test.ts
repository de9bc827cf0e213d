import fc from 'fast-check';
import { keys } from 'idb-keyval';
import { describe, expect, it } from 'vitest';
import { keys as places } from '../../src/journal/database.ts';
import { mayHaveArrivedBefore, type SubmissionRecord } from '../../src/journal/index.ts';
import { cursorVersion } from '../../src/journal/record.ts';
import { createHarness, cursorRef, draftOf, network, nextOf, payload, slotRequest } from './harness.ts';

describe('storage ids', () => {
  it('starts at what the relayer reports and rises by 2', async () => {
    const journal = createHarness().start();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId);
    expect(ids).toEqual([20, 22, 24]);
    expect(await nextOf(journal, cursorRef)).toBe(26);
  });

  it('asks the relayer only when there is no cursor', async () => {
    const journal = createHarness().start();
    let asked = 0;
    const slot = { ...slotRequest, nextFromRelayer: async () => 100 + 2 * asked++ };
    await journal.reserve(draftOf(), { slot });
    expect((await journal.reserve(draftOf(), { slot })).slot?.storageId).toBe(102);
    expect(asked).toBe(1);
  });

  it('never goes below a higher number of the relayer, and never down to a lower one', async () => {
    const journal = createHarness().start();
    await journal.reserve(draftOf(), { slot: slotRequest });
    expect((await journal.reserve(draftOf(), { slot: { ...slotRequest, nextFromRelayer: 90 } })).slot?.storageId).toBe(
      90,
    );
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(92);
    expect(await journal.resyncCursor(cursorRef, 40)).toBe(94);
    expect(await journal.resyncCursor(cursorRef, 200)).toBe(200);
  });

  it('keeps networks, accounts, tokens and parities apart', async () => {
    const journal = createHarness().start();
    const slots = await Promise.all([
      journal.reserve(draftOf(), { slot: slotRequest }),
      journal.reserve(draftOf({ networkId: 'other' }), { slot: slotRequest }),
      journal.reserve(draftOf({ accountId: 10006 }), { slot: slotRequest }),
      journal.reserve(draftOf(), { slot: { ...slotRequest, tokenId: 2 } }),
      journal.reserve(draftOf(), { slot: { ...slotRequest, parity: 'offchain', nextFromRelayer: 21 } }),
    ]);
    expect(slots.map((record) => record.slot?.storageId)).toEqual([20, 20, 20, 20, 21]);
  });

  it.each([
    ['an odd id for orders', { ...slotRequest, nextFromRelayer: 21 }, 'bad-input'],
    ['a negative id', { ...slotRequest, nextFromRelayer: -2 }, 'bad-input'],
    ['an id above 32 bits', { ...slotRequest, nextFromRelayer: 2 ** 32 }, 'bad-input'],
    ['a fraction', { ...slotRequest, nextFromRelayer: 20.5 }, 'bad-input'],
    ['no first id at all', { tokenId: 1, parity: 'order' as const }, 'cursor-unknown'],
  ])('refuses %s and writes nothing', async (_title, slot, code) => {
    const journal = createHarness().start();
    await expect(journal.reserve(draftOf(), { slot })).rejects.toMatchObject({ name: 'JournalError', code });
    expect(await journal.list()).toEqual([]);
    expect(await nextOf(journal, cursorRef)).toBeUndefined();
  });

  it('hands out the last 32-bit id once and then refuses', async () => {
    const journal = createHarness().start();
    const slot = { ...slotRequest, nextFromRelayer: 2 ** 32 - 2, accepted: 2 ** 32 - 2 };
    expect((await journal.reserve(draftOf(), { slot })).slot?.storageId).toBe(2 ** 32 - 2);
    await expect(journal.reserve(draftOf(), { slot })).rejects.toMatchObject({ code: 'ids-exhausted' });
  });

  it('passes over a slot whose submission is still open', async () => {
    const journal = createHarness().start();
    const first = await journal.reserve(draftOf(), { slot: slotRequest });
    await journal.resyncCursor(cursorRef, 20 + 2 ** 14);
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(22 + 2 ** 14);
    await journal.markAbandoned(first.id, 'given up');
    await journal.resyncCursor(cursorRef, 20 + 2 * 2 ** 14);
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(20 + 2 * 2 ** 14);
  });

  it('passes over the slot of what was handed over for as long as its signature is valid', async () => {
    const harness = createHarness({ isHandedOver: ({ operation }) => operation === 'signNftOrder' });
    const journal = harness.start();
    const first = await journal.reserve(draftOf({ operation: 'signNftOrder' }), { slot: slotRequest });
    await journal.markSigned(first.id, payload);
    await journal.markFinal(first.id, 'processed');
    const idInTurn = async (turn: number) => {
      await journal.resyncCursor(cursorRef, 20 + turn * 2 ** 14);
      const { id, slot } = await journal.reserve(draftOf(), { slot: slotRequest });
      await journal.markAbandoned(id, 'given up');
      return (slot?.storageId ?? 0) - turn * 2 ** 14;
    };
    expect(await idInTurn(1)).toBe(22);
    harness.clock.ms = 1_800_000_599_000;
    expect(await idInTurn(2)).toBe(22);
    harness.clock.ms = 1_800_000_600_000;
    expect(await idInTurn(3)).toBe(20);
    expect(await idInTurn(4)).toBe(20);
  });

  it('refuses when all 8192 slots of a parity are open, and goes on when one closes', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const first = await journal.reserve(draftOf(), { slot: { ...slotRequest, nextFromRelayer: 0 } });
    const ref = { exchange: 'local', ...cursorRef };
    await harness.store('readwrite', (objects) => {
      for (let id = 2; id < 2 ** 14; id += 2)
        objects.put({ version: 1, highest: id, open: ['x'] }, places.slot(ref, id));
      objects.put({ version: cursorVersion, next: 2 ** 14 }, places.cursor(ref));
    });
    await expect(journal.reserve(draftOf(), { slot: slotRequest })).rejects.toMatchObject({
      code: 'slots-exhausted',
      message: expect.stringContaining('all 8192 order slots of token 1 are in use'),
    });
    await journal.markAbandoned(first.id, 'given up');
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(2 ** 14);
  });

  it('takes over a slot on purpose with the next unused id of that slot', async () => {
    const journal = createHarness().start();
    await journal.reserve(draftOf(), { slot: slotRequest });
    const replace = () => journal.reserve(draftOf(), { slot: { tokenId: 1, parity: 'order', reuse: 20 } });
    expect((await replace()).slot?.storageId).toBe(20 + 2 ** 14);
    expect((await replace()).slot?.storageId).toBe(20 + 2 * 2 ** 14);
    expect(await nextOf(journal, cursorRef)).toBe(22);
  });

  it('never hands out an id again that was used by taking over a slot', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const first = await journal.reserve(draftOf(), { slot: slotRequest });
    const second = await journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    for (const { id } of [first, second]) await journal.markAbandoned(id, 'given up');
    await journal.resyncCursor(cursorRef, 18 + 2 ** 14);
    const ids = [];
    for (let i = 0; i < 2; i++) ids.push((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId);
    expect(ids).toEqual([18 + 2 ** 14, 22 + 2 ** 14]);
    const third = await journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    expect(third.slot?.storageId).toBe(20 + 2 * 2 ** 14);
  });

  it('takes over a slot above the cursor and above the relayer’s next id', async () => {
    const journal = createHarness().start();
    await journal.resyncCursor(cursorRef, 24 + 2 ** 14);
    const above = await journal.reserve(draftOf(), { slot: { tokenId: 1, parity: 'order', reuse: 20 } });
    expect(above.slot?.storageId).toBe(20 + 2 * 2 ** 14);
    const slot = { tokenId: 1, parity: 'order' as const, reuse: 26, nextFromRelayer: 28 + 5 * 2 ** 14 };
    expect((await journal.reserve(draftOf(), { slot })).slot?.storageId).toBe(26 + 6 * 2 ** 14);
  });

  it('takes over a slot up to the last 32-bit id, and refuses beyond it without writing anything', async () => {
    const journal = createHarness().start();
    const last = 2 ** 32 - 1;
    const takeOver = (reuse: number) => journal.reserve(draftOf(), { slot: { tokenId: 1, parity: 'offchain', reuse } });
    expect((await takeOver(last - 2 ** 14)).slot?.storageId).toBe(last);
    await expect(takeOver(last - 2 ** 14)).rejects.toMatchObject({ code: 'ids-exhausted' });
    await expect(takeOver(last - 2)).rejects.toMatchObject({ code: 'ids-exhausted' });
    expect(await journal.list()).toHaveLength(1);
  });

  it('is free again after it was taken over where no next id is known', async () => {
    const journal = createHarness().start();
    const taken = await journal.reserve(draftOf(), { slot: { tokenId: 1, parity: 'order', reuse: 20 } });
    expect(await journal.markAbandoned(taken.id, 'given up')).toMatchObject({ state: 'abandoned' });
    // The id itself stays used.
    const next = await journal.reserve(draftOf(), { slot: { ...slotRequest, nextFromRelayer: 20 + 2 ** 14 } });
    expect(next.slot?.storageId).toBe(22 + 2 ** 14);
  });

  it('hands out the very last id of the odd parity', async () => {
    const journal = createHarness().start();
    const last = 2 ** 32 - 1;
    const slot = { tokenId: 1, parity: 'offchain' as const, nextFromRelayer: last, accepted: last };
    expect((await journal.reserve(draftOf(), { slot })).slot?.storageId).toBe(last);
  });

  it('uses a slot again in the turn after the id that took it over', async () => {
    const journal = createHarness().start();
    const first = await journal.reserve(draftOf(), { slot: slotRequest });
    const second = await journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    for (const { id } of [first, second]) await journal.markAbandoned(id, 'given up');
    await journal.resyncCursor(cursorRef, 20 + 2 * 2 ** 14);
    const third = await journal.reserve(draftOf(), { slot: slotRequest });
    expect(third.slot?.storageId).toBe(20 + 2 * 2 ** 14);
  });

  it('keeps a slot barred until the last of the submissions in it has ended', async () => {
    const journal = createHarness().start();
    await journal.reserve(draftOf(), { slot: slotRequest });
    const second = await journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    await journal.resyncCursor(cursorRef, 20 + 2 * 2 ** 14);
    await journal.markAbandoned(second.id, 'given up');
    const third = await journal.reserve(draftOf(), { slot: slotRequest });
    expect(third.slot?.storageId).toBe(22 + 2 * 2 ** 14);
  });

  it('says which id is of no use, and what for', async () => {
    const journal = createHarness().start();
    const refused = (slot: object) =>
      expect(journal.reserve(draftOf(), { slot: { tokenId: 1, parity: 'order', ...slot } })).rejects;
    await refused({}).toThrow('the next order storage id of token 1 is unknown');
    await refused({ nextFromRelayer: 21 }).toThrow('the relayer’s next storage id must be even, for an order, not 21');
    await refused({ reuse: 21 }).toThrow('the storage id to take over must be even, for an order, not 21');
    const last = 2 ** 32 - 2;
    await journal.reserve(draftOf(), { slot: { ...slotRequest, nextFromRelayer: last, accepted: last } });
    await refused({}).toThrow('token 1 has no order 32-bit storage id left');
    await refused({ reuse: last }).toThrow('slot 16382 has no higher 32-bit storage id');
  });

  it('leaves nothing of a slot behind once it is free and below the next id', async () => {
    const { start, store } = createHarness();
    const journal = start();
    const slotsKept = async () => (await keys(store)).filter((key) => (key as IDBValidKey[])[0] === 'slot').length;
    const first = await journal.reserve(draftOf(), { slot: slotRequest });
    const second = await journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    expect(await slotsKept()).toBe(1);
    await journal.markAbandoned(first.id, 'given up');
    expect(await slotsKept()).toBe(1);
    await journal.markAbandoned(second.id, 'given up');
    // The id that took it over is above the next one, and must not be handed out again.
    expect(await slotsKept()).toBe(1);
    const third = await journal.reserve(draftOf(), { slot: slotRequest });
    await journal.markAbandoned(third.id, 'given up');
    expect(await slotsKept()).toBe(1);
  });

  it('gives parallel reservations different ids', async () => {
    const journal = createHarness().start();
    const records = await Promise.all(
      Array.from({ length: 50 }, () =>
        journal.reserve(draftOf(), { slot: { ...slotRequest, nextFromRelayer: async () => 20 } }),
      ),
    );
    expect(records.map((record) => record.slot?.storageId)).toEqual(Array.from({ length: 50 }, (_, i) => 20 + 2 * i));
  });

  it('gives each id once to parallel reservations of two contexts, and skips none', async () => {
    const { connect, start } = createHarness();
    const journals = [start(connect()), start(connect())];
    const reserving = Array.from({ length: 25 }, () =>
      journals.map(async (journal) => {
        const reserved = journal.reserve(draftOf(), { slot: slotRequest });
        // Tells nothing new: a counter that it wrote back would give an id again.
        await journal.resyncCursor(cursorRef, 20);
        return (await reserved).slot?.storageId ?? 0;
      }),
    );
    const ids = await Promise.all(reserving.flat());
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => 20 + 2 * i));
    expect(await nextOf(start(), cursorRef)).toBe(120);
  });
});

describe('an id of two tokens', () => {
  const both = (first: number, second: number, more: object = {}) => ({
    tokenId: 1,
    parity: 'offchain' as const,
    nextFromRelayer: first,
    also: { tokenId: 2, nextFromRelayer: second },
    ...more,
  });
  const offchain = (tokenId: number, nextFromRelayer?: number) => ({
    slot: { tokenId, parity: 'offchain' as const, nextFromRelayer },
  });
  const idOf = async (reserving: Promise<SubmissionRecord>) => (await reserving).slot?.storageId;

  it('is the first that is free in the counters of both, and moves both', async () => {
    const journal = createHarness().start();
    const { slot } = await journal.reserve(draftOf(), { slot: both(21, 5) });
    expect(slot).toEqual({ tokenId: 1, parity: 'offchain', storageId: 21, alsoOf: 2 });
    for (const tokenId of [1, 2]) expect(await nextOf(journal, { ...network, tokenId, parity: 'offchain' })).toBe(23);
    expect(await idOf(journal.reserve(draftOf(), offchain(2)))).toBe(23);
    expect(await idOf(journal.reserve(draftOf(), { slot: both(1, 1) }))).toBe(25);
    expect(await idOf(journal.reserve(draftOf(), offchain(1)))).toBe(27);
  });

  it('passes over an id that is taken in the second counter alone', async () => {
    const journal = createHarness().start();
    await journal.reserve(draftOf(), offchain(2, 21));
    // The second counter comes around to the slot of 21, which is still in use there.
    const turned = 21 + 2 ** 14;
    expect(await idOf(journal.reserve(draftOf(), { slot: both(turned, turned) }))).toBe(turned + 2);
  });

  it('asks the relayer for each counter that is not known', async () => {
    const journal = createHarness().start();
    await journal.reserve(draftOf(), offchain(1, 41));
    const asked: number[] = [];
    const next = (tokenId: number) => async () => 2 * asked.push(tokenId) + 99;
    const slot = {
      tokenId: 1,
      parity: 'offchain' as const,
      nextFromRelayer: next(1),
      also: { tokenId: 2, nextFromRelayer: next(2) },
    };
    expect(await idOf(journal.reserve(draftOf(), { slot }))).toBe(101);
    expect(asked).toEqual([2]);
  });

  it.each([
    ['the first', both(2_000_003, 1)],
    ['the second', both(1, 2_000_003)],
  ])('refuses a jump of %s counter, and moves none', async (_, slot) => {
    const journal = createHarness().start();
    await expect(journal.reserve(draftOf(), { slot })).rejects.toMatchObject({ code: 'id-jump' });
    for (const tokenId of [1, 2])
      expect(await nextOf(journal, { ...network, tokenId, parity: 'offchain' })).toBeUndefined();
  });

  it('is refused while one of the counters is unknown', async () => {
    const journal = createHarness().start();
    const slot = { tokenId: 1, parity: 'offchain' as const, nextFromRelayer: 21, also: { tokenId: 2 } };
    await expect(journal.reserve(draftOf(), { slot })).rejects.toMatchObject({ code: 'cursor-unknown' });
  });

  it('stays barred in both counters until its submission has ended', async () => {
    const journal = createHarness().start();
    const turned = 21 + 2 ** 14;
    const { id } = await journal.reserve(draftOf(), { slot: both(21, 21) });
    const inBoth = () =>
      Promise.all([1, 2].map((tokenId) => idOf(journal.reserve(draftOf(), offchain(tokenId, turned)))));
    expect(await inBoth()).toEqual([turned + 2, turned + 2]);
    await journal.markSigned(id, payload);
    await journal.markSent(id);
    await journal.markRefused(id, { code: 1, message: 'no' });
    expect(
      await Promise.all([1, 2].map((tokenId) => idOf(journal.reserve(draftOf(), offchain(tokenId, turned + 2 ** 14))))),
    ).toEqual([turned + 2 ** 14, turned + 2 ** 14]);
  });
});

describe('one page request', () => {
  it('has one submission, whatever state it is in', async () => {
    const journal = createHarness().start();
    const draft = draftOf();
    const { id } = await journal.reserve(draft, { slot: slotRequest });
    await expect(journal.reserve(draft, { slot: slotRequest })).rejects.toMatchObject({
      code: 'request-exists',
      submissionId: id,
    });
    await journal.markSigned(id, payload);
    await journal.markSent(id);
    await journal.markFinal(id, 'processed');
    await expect(journal.reserve(draft, { slot: slotRequest })).rejects.toMatchObject({ code: 'request-exists' });
    expect((await journal.byRequest(draft.origin, draft.requestId))?.id).toBe(id);
  });

  const refused = { code: 102004, message: 'Invalid order ID' };

  async function reserveRefused(journal: ReturnType<ReturnType<typeof createHarness>['start']>) {
    const record = await journal.reserve(draftOf(), { slot: slotRequest });
    await journal.markSigned(record.id, payload);
    await journal.markSent(record.id);
    await journal.markRefused(record.id, refused);
    return record;
  }

  it('has as many signatures as were approved, whoever asks and however often the worker stops', async () => {
    const harness = createHarness();
    const draft = draftOf();
    const first = await harness.start().reserve(draft, { slot: slotRequest });
    await harness.start().markSigned(first.id, payload);
    await harness.start().markRefused(first.id, refused);
    await expect(harness.start().reserve(draft, { slot: slotRequest })).rejects.toMatchObject({
      code: 'signed-before',
      submissionId: first.id,
    });
    const second = await harness.start().reserve(draft, { slot: slotRequest, copies: 2 });
    expect(second).toMatchObject({ copy: 2, slot: { storageId: 22 } });
    expect((await harness.start().byRequest(draft.origin, draft.requestId))?.id).toBe(second.id);
    // What was reserved and never signed is no signature.
    await harness.start().resume();
    const again = await harness.start().reserve(draft, { slot: slotRequest, copies: 2 });
    expect(again.copy).toBe(2);
    await harness.start().markSigned(again.id, payload);
    await harness.start().markRefused(again.id, refused);
    await expect(harness.start().reserve(draft, { slot: slotRequest, copies: 2 })).rejects.toMatchObject({
      code: 'signed-before',
    });
    const copies = await harness.start().copiesOf(draft.origin, draft.requestId);
    expect(copies.map(({ state }) => state)).toEqual(['refused', 'abandoned', 'refused']);
  });

  it('is what its refused copy became, also when a further copy was given up meanwhile', async () => {
    for (const end of ['acknowledged', 'processed'] as const) {
      const journal = createHarness().start();
      const first = await reserveRefused(journal);
      const draft = draftOf({ requestId: first.requestId });
      const second = await journal.reserve(draft, { slot: slotRequest, copies: 2 });
      expect((await journal.outcomeOf(draft.origin, draft.requestId))?.id).toBe(second.id);
      await journal.markAbandoned(second.id, 'stopped before signing');
      expect(await journal.outcomeOf(draft.origin, draft.requestId)).toMatchObject({ id: first.id, state: 'refused' });
      if (end === 'processed') await journal.markFinal(first.id, end);
      else await journal.markAcknowledged(first.id, {});
      expect(await journal.outcomeOf(draft.origin, draft.requestId)).toMatchObject({ id: first.id, state: end });
      await expect(journal.reserve(draft, { slot: slotRequest, copies: 2 })).rejects.toMatchObject({
        code: 'request-exists',
        submissionId: first.id,
      });
      expect((await journal.byRequest(draft.origin, draft.requestId))?.id).toBe(second.id);
    }
  });

  it('is what the first of two refused copies became', async () => {
    const journal = createHarness().start();
    const first = await reserveRefused(journal);
    const draft = draftOf({ requestId: first.requestId });
    const second = await journal.reserve(draft, { slot: slotRequest, copies: 2 });
    await journal.markSigned(second.id, payload);
    await journal.markRefused(second.id, refused);
    const outcome = () => journal.outcomeOf(draft.origin, draft.requestId);
    expect(await outcome()).toMatchObject({ id: second.id, state: 'refused' });
    await journal.markFinal(first.id, 'processed');
    expect(await outcome()).toMatchObject({ id: first.id, state: 'processed' });
    await expect(journal.reserve(draft, { slot: slotRequest, copies: 3 })).rejects.toMatchObject({
      code: 'request-exists',
      submissionId: first.id,
    });
  });

  it('is never reserved again once a signature of it has any other end', async () => {
    for (const end of ['processed', 'failed', 'expired', 'cancelled'] as const) {
      const journal = createHarness().start();
      const draft = draftOf();
      const { id } = await journal.reserve(draft, { slot: slotRequest });
      await journal.markSigned(id, payload);
      await journal.markFinal(id, end);
      await expect(journal.reserve(draft, { slot: slotRequest, copies: 9 })).rejects.toMatchObject({
        code: 'request-exists',
      });
    }
  });

  it('that the relayer refused and has after all is open again: its slot is barred, and it is looked up no longer', async () => {
    const journal = createHarness().start();
    const first = await reserveRefused(journal);
    expect((await journal.watched()).map(({ record }) => record.id)).toEqual([first.id]);
    expect(await journal.pending()).toEqual([]);
    await journal.markAcknowledged(first.id, { status: 'processing' });
    expect(await journal.watched()).toEqual([]);
    expect((await journal.pending()).map(({ id }) => id)).toEqual([first.id]);
    await journal.resyncCursor(cursorRef, 20 + 2 ** 14);
    const next = await journal.reserve(draftOf(), { slot: slotRequest });
    expect(next.slot?.storageId).toBe(22 + 2 ** 14);
    await journal.markFinal(first.id, 'processed');
    expect((await journal.list({ states: ['processed'] })).map(({ id }) => id)).toEqual([first.id]);
  });

  it('that is open again shares its slot with the one that has it now, and takes no id of it back', async () => {
    const journal = createHarness().start();
    const first = await reserveRefused(journal);
    const replace = () => journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    const second = await replace();
    expect(second.slot?.storageId).toBe(20 + 2 ** 14);
    await journal.markAcknowledged(first.id, { status: 'processing' });
    await journal.markFinal(first.id, 'cancelled');
    // The second one is still open.
    await journal.resyncCursor(cursorRef, 20 + 2 * 2 ** 14);
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(22 + 2 * 2 ** 14);
  });

  it('that is open again and ends again leaves its slot free', async () => {
    const { start, store } = createHarness();
    const journal = start();
    const first = await reserveRefused(journal);
    await journal.markAcknowledged(first.id, { status: 'processing' });
    await journal.resyncCursor(cursorRef, 20 + 2 ** 14);
    // It bars its slot again for as long as it is open.
    const second = await journal.reserve(draftOf(), { slot: slotRequest });
    expect(second.slot?.storageId).toBe(22 + 2 ** 14);
    await journal.markFinal(first.id, 'cancelled');
    await journal.markAbandoned(second.id, 'given up');
    expect((await keys(store)).filter((key) => (key as IDBValidKey[])[0] === 'slot')).toEqual([]);
    await journal.resyncCursor(cursorRef, 20 + 2 * 2 ** 14);
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(20 + 2 * 2 ** 14);
  });

  it('that is open again does not hide a higher id that its slot had meanwhile', async () => {
    const journal = createHarness().start();
    const first = await reserveRefused(journal);
    const replace = () => journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 20 } });
    await replace();
    await journal.markAcknowledged(first.id, { status: 'processing' });
    expect((await replace()).slot?.storageId).toBe(20 + 2 * 2 ** 14);
  });

  it('counts the times that its bytes may have arrived', async () => {
    const journal = createHarness().start();
    const { id } = await journal.reserve(draftOf(), { slot: slotRequest });
    await journal.markSigned(id, payload);
    await journal.markSent(id);
    await journal.markUnanswered(id, { code: 'offline', message: 'not sent', outcome: 'not-sent' });
    expect(mayHaveArrivedBefore(await journal.markSent(id))).toBe(false);
    await journal.markUnanswered(id, { code: 'transport', message: 'no answer', outcome: 'unknown' });
    expect(mayHaveArrivedBefore(await journal.markSent(id))).toBe(true);
  });

  it('belongs to its origin: another site may use the same request number', async () => {
    const journal = createHarness().start();
    const draft = draftOf();
    await journal.reserve(draft);
    await journal.reserve({ ...draft, origin: 'https://other.example' });
    expect(await journal.list()).toHaveLength(2);
  });
});

describe('standing approval counters', () => {
  const HOUR = 3_600_000;
  const terms = { limits: { 'sell:LRC': 100n }, rate: { most: 3, perMs: 60_000 }, expiresAt: 1e15 };
  const spend = (amount: bigint) => ({ ruleId: 'rule', amounts: { 'sell:LRC': amount } });

  it('are used up with the reservation and named in the record', async () => {
    const journal = createHarness().start();
    await journal.openRule('rule', terms);
    expect((await journal.reserve(draftOf(), { slot: slotRequest, spend: spend(60n) })).rule).toBe('rule');
    await expect(journal.reserve(draftOf(), { slot: slotRequest, spend: spend(41n) })).rejects.toThrow(
      'rule rule: sell:LRC would reach 101 of 100',
    );
    expect(await journal.getRule('rule')).toEqual({ spent: { 'sell:LRC': 60n }, recent: 1, count: 1, status: 'open' });
    expect(await nextOf(journal, cursorRef)).toBe(22);
  });

  it('end for good when the rule is closed: it cannot be opened anew', async () => {
    const journal = createHarness().start();
    await journal.openRule('rule', terms);
    await journal.reserve(draftOf(), { spend: spend(60n) });
    await journal.closeRule('rule');
    await journal.openRule('rule', terms);
    await expect(journal.reserve(draftOf(), { spend: spend(1n) })).rejects.toMatchObject({ code: 'rule-closed' });
    expect(await journal.getRule('rule')).toMatchObject({ spent: { 'sell:LRC': 60n }, status: 'closed' });
    await expect(journal.reserve(draftOf(), { spend: { ruleId: 'none', amounts: {} } })).rejects.toMatchObject({
      code: 'rule-closed',
    });
  });

  it('admit as many as the rate allows within any window, whatever the clock does', async () => {
    const harness = createHarness();
    const journal = harness.start();
    await journal.openRule('rule', terms);
    const one = () =>
      journal.reserve(draftOf(), { spend: spend(1n) }).then(
        () => 'counted',
        (error) => error.code,
      );
    for (let i = 0; i < 3; i++) expect(await one()).toBe('counted');
    expect(await one()).toBe('limit-exceeded');
    const { ms } = harness.clock;
    harness.clock.ms = ms - HOUR;
    expect(await one()).toBe('limit-exceeded');
    harness.clock.ms = ms + 59_000;
    expect(await one()).toBe('limit-exceeded');
    harness.clock.ms = ms + 60_001;
    expect(await one()).toBe('counted');
  });

  it('count a signature for as long as the rate says, and not a millisecond longer', async () => {
    const harness = createHarness();
    const journal = harness.start();
    await journal.openRule('rule', { ...terms, rate: { most: 1, perMs: 60_000 } });
    const { ms } = harness.clock;
    const reserveAt = (time: number) => {
      harness.clock.ms = time;
      return journal.reserve(draftOf(), { spend: spend(1n) });
    };
    await reserveAt(ms);
    await expect(reserveAt(ms + 59_999)).rejects.toMatchObject({ code: 'limit-exceeded' });
    await reserveAt(ms + 60_000);
    expect(await journal.getRule('rule')).toMatchObject({ recent: 1, count: 2 });
  });

  it('of a rule that was never opened are not there, nor after its end was asked for', async () => {
    const journal = createHarness().start();
    await journal.closeRule('none');
    expect(await journal.getRule('none')).toBeUndefined();
    await journal.openRule('none', terms);
    expect(await journal.getRule('none')).toMatchObject({ status: 'open' });
  });

  it('count what is reserved while the clock is set back as if it were not', async () => {
    const harness = createHarness();
    const journal = harness.start();
    await journal.openRule('rule', terms);
    // Longer ago than the rate looks back on.
    harness.clock.ms += 600_000;
    const { ms } = harness.clock;
    await journal.reserve(draftOf(), { spend: spend(1n) });
    harness.clock.ms = ms - HOUR;
    await journal.reserve(draftOf(), { spend: spend(1n) });
    await journal.reserve(draftOf(), { spend: spend(1n) });
    harness.clock.ms = ms + 1;
    expect(await journal.getRule('rule')).toMatchObject({ recent: 3 });
    await expect(journal.reserve(draftOf(), { spend: spend(1n) })).rejects.toMatchObject({ code: 'limit-exceeded' });
  });

  it('expire', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const end = harness.clock.ms + HOUR;
    await journal.openRule('rule', { ...terms, expiresAt: end });
    harness.clock.ms = end - 10;
    await journal.reserve(draftOf(), { spend: spend(1n) });
    harness.clock.ms = end;
    await expect(journal.reserve(draftOf(), { spend: spend(1n) })).rejects.toMatchObject({ code: 'rule-closed' });
    expect(await journal.getRule('rule')).toMatchObject({ status: 'expired' });
  });

  it('admit exactly the limit and what costs nothing, and not one unit more', async () => {
    const journal = createHarness().start();
    await journal.openRule('rule', terms);
    await journal.reserve(draftOf(), { spend: spend(100n) });
    await journal.reserve(draftOf(), { spend: spend(0n) });
    await expect(journal.reserve(draftOf(), { spend: spend(1n) })).rejects.toMatchObject({ code: 'limit-exceeded' });
    expect(await journal.getRule('rule')).toMatchObject({ spent: { 'sell:LRC': 100n }, count: 2 });
  });

  it('show what the rate still counts, and the end at its very millisecond', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const end = harness.clock.ms + HOUR;
    await journal.openRule('rule', { ...terms, expiresAt: end });
    await journal.reserve(draftOf(), { spend: spend(1n) });
    harness.clock.ms += 120_000;
    expect(await journal.getRule('rule')).toMatchObject({ recent: 0, count: 1, status: 'open' });
    harness.clock.ms = end - 1;
    expect(await journal.getRule('rule')).toMatchObject({ status: 'open' });
    harness.clock.ms = end;
    expect(await journal.getRule('rule')).toMatchObject({ status: 'expired' });
  });

  it.each([
    ['a rate of none', { rate: { most: 0, perMs: 60_000 } }],
    ['an end that is no time', { expiresAt: Number.NaN }],
    ['a negative limit', { limits: { 'sell:LRC': -1n } }],
  ])('are not begun with %s', async (_what, changed) => {
    const journal = createHarness().start();
    await expect(journal.openRule('rule', { ...terms, ...changed })).rejects.toMatchObject({ code: 'bad-input' });
    expect(await journal.getRule('rule')).toBeUndefined();
  });

  it('keep what was used of each, whatever the next submission uses', async () => {
    const journal = createHarness().start();
    await journal.openRule('rule', { ...terms, limits: { 'sell:LRC': 100n, 'sell:ETH': 5n } });
    const spendOf = (name: string, amount: bigint) => ({ spend: { ruleId: 'rule', amounts: { [name]: amount } } });
    await journal.reserve(draftOf(), spendOf('sell:LRC', 100n));
    await journal.reserve(draftOf(), spendOf('sell:ETH', 5n));
    expect(await journal.getRule('rule')).toMatchObject({ spent: { 'sell:LRC': 100n, 'sell:ETH': 5n }, count: 2 });
    await expect(journal.reserve(draftOf(), spendOf('sell:LRC', 1n))).rejects.toThrow('would reach 101 of 100');
  });

  it('say which rule stands against a submission, and why', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const refused = (amounts: Record<string, bigint>) =>
      expect(journal.reserve(draftOf(), { spend: { ruleId: 'rule', amounts } })).rejects;
    await refused({}).toThrow('rule rule is not in force');
    await expect(journal.openRule('rule', { ...terms, expiresAt: Number.NaN })).rejects.toThrow(
      'the limits of rule rule have a wrong shape',
    );
    await journal.openRule('rule', { ...terms, rate: { most: 1, perMs: 60_000 }, expiresAt: harness.clock.ms + HOUR });
    await refused({ other: 1n }).toThrow('rule rule: other needs a limit and an amount of at least 0');
    await journal.reserve(draftOf(), { spend: spend(1n) });
    await refused({ 'sell:LRC': 1n }).toThrow('rule rule: 1 were signed in the last 60000 ms');
    harness.clock.ms += HOUR;
    await refused({ 'sell:LRC': 1n }).toThrow('rule rule has expired');
  });

  it('refuses a negative amount and an amount without a limit', async () => {
    const journal = createHarness().start();
    await journal.openRule('rule', terms);
    await expect(journal.reserve(draftOf(), { spend: spend(-1n) })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(journal.reserve(draftOf(), { spend: { ruleId: 'rule', amounts: { x: 1n } } })).rejects.toMatchObject({
      code: 'bad-input',
    });
  });

  it('never pass a limit under parallel requests, faults and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            amounts: fc.array(fc.bigInt(0n, 70n), { minLength: 1, maxLength: 4 }),
            fault: fc.option(fc.constantFrom('before', 'put-1', 'put-2', 'abort', 'after' as const), {
              nil: undefined,
            }),
            restart: fc.boolean(),
          }),
          { maxLength: 8 },
        ),
        async (rounds) => {
          const harness = createHarness();
          let journal = harness.start();
          await journal.openRule('rule', { ...terms, rate: { most: 1000, perMs: 1 } });
          let granted = 0n;
          for (const { amounts, fault, restart } of rounds) {
            if (fault) harness.failNext(fault as 'before');
            const results = await Promise.allSettled(
              amounts.map((amount) => journal.reserve(draftOf(), { slot: slotRequest, spend: spend(amount) })),
            );
            for (const [i, result] of results.entries()) if (result.status === 'fulfilled') granted += amounts[i] ?? 0n;
            if (restart) {
              journal = harness.start();
              await journal.resume();
            }
          }
          const spent = (await journal.getRule('rule'))?.spent['sell:LRC'] ?? 0n;
          expect(spent).toBeLessThanOrEqual(100n);
          expect(granted).toBeLessThanOrEqual(spent);
        },
      ),
      { numRuns: 40 },
    );
  });
});

it('records an operation without a storage id', async () => {
  const journal = createHarness().start();
  const record = await journal.reserve(draftOf({ operation: 'cancelOrder' }));
  expect(record).toMatchObject({ ...network, state: 'reserved', operation: 'cancelOrder' });
  expect(record.slot).toBeUndefined();
});

it.each([
  ['an unknown field', { apiKey: 'secret' }, 'unknown field'],
  ['an account id above 32 bits', { accountId: 2 ** 32 }, 'at accountId'],
  ['an empty request id', { requestId: '' }, 'at requestId'],
  ['a bigint in the draft', { draft: { volume: 1n } }, 'at draft'],
])('refuses a submission with %s', async (_title, changes, message) => {
  const journal = createHarness().start();
  await expect(journal.reserve({ ...draftOf(), ...(changes as object) } as never)).rejects.toThrow(message);
  expect(await journal.list()).toEqual([]);
});
