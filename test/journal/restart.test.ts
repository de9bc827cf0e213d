import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { JournalError, type SubmissionRecord } from '../../src/journal/index.ts';
import { listenForReports } from '../../src/report/report.ts';
import type { FaultPoint } from '../support/faultyStore.ts';
import { createHarness, cursorRef, draftOf, nextOf, payload, slotRequest } from './harness.ts';

afterEach(() => vi.restoreAllMocks());

const faultPoints: FaultPoint[] = ['before', 'put-1', 'put-2', 'put-3', 'put-4', 'put-5', 'abort', 'after'];

describe('a reservation that breaks', () => {
  it.each(faultPoints)('at %s is there as a whole or not at all', async (point) => {
    const harness = createHarness();
    const journal = harness.start();
    await journal.reserve(draftOf(), { slot: slotRequest });
    harness.failNext(point);
    await expect(journal.reserve(draftOf(), { slot: slotRequest })).rejects.toMatchObject({ name: 'JournalError' });
    const after = harness.start();
    const stored = (await after.list()).length;
    expect(stored).toBe(point === 'after' ? 2 : 1);
    expect(await nextOf(after, cursorRef)).toBe(point === 'after' ? 24 : 22);
    await after.resume();
    expect((await after.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(point === 'after' ? 24 : 22);
  });

  it('for a full quota says so and leaves the journal usable', async () => {
    const harness = createHarness({ errorName: 'QuotaExceededError' });
    const journal = harness.start();
    for (const point of ['before', 'put-3', 'after'] as const) {
      harness.failNext(point);
      await expect(journal.reserve(draftOf(), { slot: slotRequest })).rejects.toMatchObject({ code: 'storage-full' });
    }
    await journal.reserve(draftOf(), { slot: slotRequest });
    expect(await nextOf(journal, cursorRef)).toBe(24);
  });

  it('after it was written can be asked for again once it was closed', async () => {
    const harness = createHarness();
    const draft = draftOf();
    harness.failNext('after');
    await expect(harness.start().reserve(draft, { slot: slotRequest })).rejects.toThrow('the journal database failed');
    const journal = harness.start();
    await expect(journal.reserve(draft, { slot: slotRequest })).rejects.toMatchObject({ code: 'request-exists' });
    await journal.resume();
    expect((await journal.reserve(draft, { slot: slotRequest })).slot?.storageId).toBe(22);
  });
});

describe('a step that breaks', () => {
  const life = ['signed', 'sent', 'acknowledged', 'processed'] as const;

  it.each(
    life.flatMap((state) => (['before', 'put-1', 'abort', 'after'] as const).map((point) => [state, point] as const)),
  )('to %s at %s leaves the state before or the state after, and can go on', async (state, point) => {
    const harness = createHarness();
    const journal = harness.start();
    const { id } = await journal.reserve(draftOf(), { slot: slotRequest });
    const run = {
      signed: () => journal.markSigned(id, payload),
      sent: () => journal.markSent(id),
      acknowledged: () => journal.markAcknowledged(id, { hash: payload.hash }),
      processed: () => journal.markFinal(id, 'processed'),
    };
    for (const earlier of life.slice(0, life.indexOf(state))) await run[earlier]();
    const before = await journal.get(id);
    harness.failNext(point);
    await expect(run[state]()).rejects.toMatchObject({ code: 'storage' });
    const now = await harness.start().get(id);
    if (point === 'after') expect(now?.state).toBe(state);
    else {
      expect(now).toEqual(before);
      await run[state]();
    }
  });
});

describe('a start', () => {
  it('closes what was reserved and never signed, and names what must be reconciled and followed', async () => {
    const harness = createHarness();
    const first = harness.start();
    const records: SubmissionRecord[] = [];
    for (let i = 0; i < 5; i++) records.push(await first.reserve(draftOf(), { slot: slotRequest }));
    const [reserved, signed, sent, acknowledged, done] = records.map((record) => record.id) as [
      string,
      string,
      string,
      string,
      string,
    ];
    for (const id of [signed, sent, acknowledged, done]) await first.markSigned(id, payload);
    for (const id of [sent, acknowledged, done]) await first.markSent(id);
    await first.markAcknowledged(acknowledged, {});
    await first.markFinal(done, 'processed');

    const journal = harness.start();
    expect((await journal.resume()).map((record) => record.id)).toEqual([reserved]);
    const closed = await journal.get(reserved);
    expect(closed?.state).toBe('abandoned');
    expect(closed?.history.at(-1)).toMatchObject({ note: 'stopped before signing' });
    const pending = await journal.pending();
    expect(pending.map((record) => [record.id, record.state])).toEqual([
      [signed, 'signed'],
      [sent, 'sent'],
      [acknowledged, 'acknowledged'],
    ]);
    expect(pending[0]?.wire).toEqual(payload.wire);
    expect(await journal.resume()).toEqual([]);
    await expect(journal.markSigned(reserved, payload)).rejects.toMatchObject({ code: 'illegal-transition' });
  });

  it('leaves alone what this very instance is about to sign', async () => {
    const journal = createHarness().start();
    const { id } = await journal.reserve(draftOf(), { slot: slotRequest });
    expect(await journal.resume()).toEqual([]);
    await journal.markSigned(id, payload);
  });

  it('shows the good records beside one that is damaged or of a newer version, and overwrites neither', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const good = await journal.reserve(draftOf(), { slot: slotRequest });
    const bad = await journal.reserve(draftOf(), { slot: slotRequest });
    await harness.store('readwrite', (objects) => {
      objects.put({ ...bad, version: 4 }, ['submission', bad.id]);
    });
    expect((await journal.list()).map((record) => record.id)).toEqual([good.id]);
    expect((await journal.list({ limit: 1 })).map((record) => record.id)).toEqual([good.id]);
    const { records, damaged } = await journal.everything();
    expect([records.map((record) => record.id), damaged]).toEqual([[good.id], [bad.id]]);
    expect((await harness.start().resume()).map((record) => record.id)).toEqual([good.id]);
    await expect(journal.get(bad.id)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(journal.markSigned(bad.id, payload)).rejects.toMatchObject({ code: 'corrupt' });
    expect((await journal.exportAll()).submissions).toHaveLength(2);
    await harness.store('readwrite', (objects) => {
      objects.put(null, ['submission', bad.id]);
    });
    expect((await journal.list()).map((record) => record.id)).toEqual([good.id]);
    expect((await journal.everything()).damaged).toEqual([bad.id]);
  });

  it('fetches at a start only what has no end, and leaves what of it cannot be read', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const ended = await journal.reserve(draftOf(), { slot: slotRequest });
    await journal.markAbandoned(ended.id, 'given up');
    const open = await journal.reserve(draftOf(), { slot: slotRequest });
    const fetched = vi.spyOn(IDBObjectStore.prototype, 'get');
    const all = vi.spyOn(IDBObjectStore.prototype, 'getAll');
    expect((await harness.start().resume()).map(({ id }) => id)).toEqual([open.id]);
    expect(fetched.mock.calls).not.toContainEqual([['submission', ended.id]]);
    expect(fetched.mock.calls).toContainEqual([['submission', open.id]]);
    expect(all.mock.calls.map(([range]) => (range as IDBKeyRange).lower)).toEqual([['final']]);
    const last = await journal.reserve(draftOf(), { slot: slotRequest });
    for (const state of ['reserved', 'sent', 'processed', 'of another version', 7, undefined]) {
      const newer = { ...last, version: 4, state };
      await harness.store('readwrite', (objects) => {
        objects.put(newer, ['submission', last.id]);
      });
      expect(await harness.start().resume()).toEqual([]);
      expect((await journal.exportAll()).submissions).toContainEqual(newer);
    }
  });

  it('closes the others when one cannot be closed, and reports that one', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await journal.reserve(draftOf(), { slot: slotRequest })).id);
    const told: string[] = [];
    listenForReports(({ where }) => told.push(where));
    harness.failNext('abort');
    const after = harness.start();
    expect((await after.resume()).map(({ id }) => id)).toEqual(ids.slice(1));
    expect(told).toEqual(['journal: close what was reserved']);
    expect((await after.resume()).map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });
});

describe('an entry that cannot be read', () => {
  const damage = async (harness: ReturnType<typeof createHarness>, ...key: (string | number)[]) => {
    await harness.store('readwrite', (objects) => {
      objects.put({ version: 1, next: 'x' }, key);
    });
  };
  const CURSOR = ['cursor', 'local', 10005, 1, 'order'] as const;
  const slotOf = (id: number) => ['slot', 'local', 10005, 1, id] as const;

  it('of a cursor asks the relayer, and no id at or below an own one is used, whatever it answers', async () => {
    const harness = createHarness();
    const journal = harness.start();
    for (let i = 0; i < 3; i++) await journal.reserve(draftOf(), { slot: slotRequest });
    // Those of others say nothing about it.
    await journal.reserve(draftOf({ accountId: 7 }), { slot: { ...slotRequest, nextFromRelayer: 90 } });
    await journal.reserve(draftOf(), { slot: { ...slotRequest, tokenId: 2, nextFromRelayer: 90 } });
    await journal.reserve(draftOf(), { slot: { ...slotRequest, parity: 'offchain', nextFromRelayer: 91 } });
    await journal.reserve(draftOf({ networkId: 'other' }), { slot: { ...slotRequest, nextFromRelayer: 90 } });
    const reserve = async (changes: object) =>
      (await journal.reserve(draftOf(), { slot: { ...slotRequest, ...changes } })).slot?.storageId;
    const relayer = vi.fn(async () => 20);
    await damage(harness, ...CURSOR);
    await expect(reserve({ nextFromRelayer: undefined })).rejects.toMatchObject({ code: 'cursor-unknown' });
    await expect(reserve({ nextFromRelayer: undefined, reuse: 20 })).rejects.toMatchObject({ code: 'cursor-unknown' });
    expect(await reserve({ nextFromRelayer: relayer, reuse: 20 })).toBe(20 + 16_384);
    expect(await reserve({ nextFromRelayer: relayer })).toBe(16_410);
    expect(relayer).toHaveBeenCalledTimes(2);
    expect(await reserve({ nextFromRelayer: relayer })).toBe(16_412);
    expect(relayer).toHaveBeenCalledTimes(2);
    await damage(harness, ...CURSOR);
    expect(await reserve({ nextFromRelayer: async () => 20_000 })).toBe(20_000);
    await damage(harness, ...CURSOR);
    expect(await journal.resyncCursor(cursorRef, 30)).toBe(20_002);
    await damage(harness, ...CURSOR);
    expect(await journal.resyncCursor(cursorRef, 20_100)).toBe(20_100);
  });

  it('of a cursor or slot keeps no submission from its end, and its slot is passed over', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const [first, second] = [
      await journal.reserve(draftOf(), { slot: slotRequest }),
      await journal.reserve(draftOf(), { slot: slotRequest }),
    ];
    await damage(harness, ...CURSOR);
    await damage(harness, ...slotOf(20));
    for (const { id } of [first, second]) await journal.markSigned(id, payload);
    expect((await journal.markRefused(first.id, { code: 1, message: 'no' })).state).toBe('refused');
    expect((await journal.markAcknowledged(first.id, {})).state).toBe('acknowledged');
    for (const { id } of [first, second]) expect((await journal.markFinal(id, 'processed')).state).toBe('processed');
    await damage(harness, ...slotOf(24));
    const { slot } = await journal.reserve(draftOf(), { slot: slotRequest });
    expect(slot?.storageId).toBe(26);
  });

  it('of the sequence is counted anew, past every submission', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const first = await journal.reserve(draftOf());
    const second = await journal.reserve(draftOf());
    await journal.markAbandoned(second.id, 'given up');
    await damage(harness, 'sequence');
    const third = await journal.reserve(draftOf());
    expect([first, second, third].map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await journal.markAbandoned(third.id, 'given up');
    await damage(harness, 'submission', third.id);
    await damage(harness, 'sequence');
    expect((await journal.reserve(draftOf())).seq).toBe(4);
  });
});

describe('history', () => {
  it('keeps the newest final records and every open one', async () => {
    const harness = createHarness({ limit: 3 });
    const journal = harness.start();
    const open = await journal.reserve(draftOf(), { slot: slotRequest });
    const drafts = Array.from({ length: 6 }, () => draftOf());
    const ids = [];
    for (const draft of drafts) {
      const { id } = await journal.reserve(draft, { slot: slotRequest });
      await journal.markAbandoned(id, 'given up');
      ids.push(id);
    }
    expect((await journal.list()).map((record) => record.id)).toEqual([...ids.slice(3).reverse(), open.id]);
    expect(await journal.get(ids[0] ?? '')).toBeUndefined();
    expect(await journal.byRequest(drafts[0]?.origin ?? '', drafts[0]?.requestId ?? '')).toBeUndefined();
    expect(await nextOf(journal, cursorRef)).toBe(34);
  });
});

/**
 * Random lives of submissions, with a fault or a restart at any write. What must hold afterwards is
 * read from what left the journal: a payload leaves only after `markSigned` resolved.
 */
it('never signs two payloads with one storage id, and never loses one, whatever breaks', async () => {
  const actions = fc.constantFrom(
    'reserve',
    'reserve',
    'sign',
    'send',
    'acknowledge',
    'refuse',
    'finish',
    'restart',
    'resync',
  );
  const fault = fc.option(fc.constantFrom(...faultPoints), { nil: undefined, freq: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ action: actions, fault, pick: fc.nat(), parallel: fc.integer({ min: 1, max: 3 }) }), {
        minLength: 5,
        maxLength: 40,
      }),
      async (script) => {
        const harness = createHarness();
        let journal = harness.start();
        const known: string[] = [];
        const signedIds = new Map<number, string>();
        const left = new Set<string>();
        let highest = -1;
        for (const { action, fault: point, pick, parallel } of script) {
          if (point) harness.failNext(point);
          const id = known[pick % Math.max(1, known.length)];
          try {
            if (action === 'reserve') {
              const results = await Promise.allSettled(
                Array.from({ length: parallel }, () => journal.reserve(draftOf(), { slot: slotRequest })),
              );
              for (const result of results) {
                if (result.status === 'rejected') continue;
                const storageId = result.value.slot?.storageId ?? -1;
                expect(storageId).toBeGreaterThan(highest);
                expect(storageId % 2).toBe(0);
                highest = storageId;
                known.push(result.value.id);
              }
            } else if (action === 'restart') {
              journal = harness.start();
              await journal.resume();
            } else if (action === 'resync') await journal.resyncCursor(cursorRef, 20 + 2 * (pick % 40));
            else if (id === undefined) continue;
            else if (action === 'sign') {
              const bodyText = `payload ${id}/${pick}`;
              const record = await journal.markSigned(id, { wire: { endpoint: 'submitOrder', bodyText } });
              const storageId = record.slot?.storageId ?? -1;
              expect(signedIds.has(storageId)).toBe(false);
              signedIds.set(storageId, bodyText);
              left.add(id);
            } else if (action === 'send') await journal.markSent(id);
            else if (action === 'acknowledge') await journal.markAcknowledged(id, {});
            else if (action === 'refuse') await journal.markRefused(id, { code: 1, message: 'no' });
            else await journal.markFinal(id, 'processed');
          } catch (error) {
            if (!(error instanceof JournalError)) throw error;
            if (!point) expect(error.code).not.toMatch(/^storage/);
          } finally {
            harness.failNext(undefined);
          }
        }
        const records = await harness.start().list();
        for (const id of left) expect(records.find((record) => record.id === id)?.wire?.bodyText).toMatch(/^payload /);
        const ids = records.map((record) => record.slot?.storageId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const record of records) {
          if (record.wire) continue;
          expect(['reserved', 'abandoned']).toContain(record.state);
        }
      },
    ),
    { numRuns: 60 },
  );
});
