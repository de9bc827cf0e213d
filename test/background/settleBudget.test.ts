import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { clear } from 'idb-keyval';
import { expect, test } from 'vitest';
import { createSubmissions } from '../../src/background/submissions/submissions.ts';
import { createJournal, type SubmissionRecord } from '../../src/journal/index.ts';
import { OWN_ORIGIN } from '../../src/messaging/ownOrigin.ts';
import { listenForReports, type Trace } from '../../src/report/report.ts';
import { createStores } from '../../src/storage/stores.ts';
import { until } from './support.ts';

globalThis.IDBKeyRange ??= IDBKeyRange;

const MINUTE = 60_000;

/**
 * Open orders of two sites in a real journal; looks at the relayer are counted, none is answered.
 */
async function stage(greedy: number, modest: number) {
  const store = createStores('journal', 'entries', new IDBFactory()).strict;
  let time = 1_800_000_000_000;
  const now = () => time;
  const journal = createJournal({
    store,
    exchangeOf: async (id) => ({ id, networkIds: [id] }),
    now,
    uuid: () => crypto.randomUUID(),
  });
  const add = async (origin: string, networkId = 'net') => {
    const { id } = await journal.reserve({
      networkId,
      accountId: 1,
      origin,
      requestId: crypto.randomUUID(),
      operation: 'submitOrder',
      draft: {},
      reviewDigest: `0x${'1'.repeat(64)}`,
    });
    const wire = { endpoint: 'submitOrder', bodyText: '{}' } as const;
    await journal.markSigned(id, { wire, hash: `0x${'2'.repeat(64)}` });
    await journal.markSent(id);
    await journal.markAcknowledged(id, { status: 'processing' });
  };
  for (let i = 0; i < greedy; i++) await add('https://greedy.example');
  for (let i = 0; i < modest; i++) await add('https://modest.example');
  const looks: { readonly id: string; readonly origin: string }[] = [];
  const submissions = createSubmissions({
    clock: { now, sleep: async () => {} },
    journal,
    // Whose record is looked at is asked first; that is where this test counts.
    config: {
      place: async () => {
        throw new Error('nobody answers');
      },
    } as never,
    relayers: {} as never,
    accountKeys: {} as never,
    requests: { isAnswered: async () => false, close: async () => {}, changed: async () => {} },
  });
  const counted = submissions.check;
  /** A network whose relayer never answers. */
  let slow: string | undefined;
  submissions.check = async (id: string): Promise<SubmissionRecord> => {
    const record = await journal.get(id);
    if (slow !== undefined && record?.networkId === slow) await new Promise(() => {});
    looks.push({ id, origin: record?.origin ?? '' });
    return counted(id);
  };
  return {
    add,
    store,
    looks,
    submissions,
    isSlow: (networkId: string) => {
      slow = networkId;
    },
    round: async () => {
      looks.length = 0;
      await submissions.checkDue();
      return [...looks];
    },
    later: (ms: number) => {
      time += ms;
    },
  };
}

test('a round looks at eight submissions of a site at most, and at those of other sites beside them', async () => {
  const { round, later } = await stage(30, 3);
  later(MINUTE);
  const looks = await round();
  expect(looks.filter(({ origin }) => origin === 'https://greedy.example')).toHaveLength(8);
  expect(looks.filter(({ origin }) => origin === 'https://modest.example')).toHaveLength(3);
});

test('an exchange that never answers holds up no look at another one', async () => {
  const { add, isSlow, later, looks, submissions } = await stage(0, 0);
  for (let count = 0; count < 9; count++) await add(OWN_ORIGIN, 'slow');
  await add(OWN_ORIGIN, 'quick');
  isSlow('slow');
  later(MINUTE);
  void submissions.checkDue();
  await until(async () => looks.length === 1);
  void submissions.checkOpen(() => true, 10);
  await until(async () => looks.length === 2);
});

test('what waited longest comes first, so that all get their turn', async () => {
  const { round, later } = await stage(20, 0);
  const seen = new Set<string>();
  for (let rounds = 0; rounds < 3; rounds++) {
    later(3_000);
    for (const { id } of await round()) seen.add(id);
  }
  expect(seen.size).toBe(20);
});

test('looks become rarer with age: after a quarter of it, between 2 seconds and 10 minutes', async () => {
  const { round, later } = await stage(1, 0);
  const looksWithin = async (ms: number, step: number) => {
    let found = 0;
    for (let at = 0; at < ms; at += step) {
      later(step);
      found += (await round()).length;
    }
    return found;
  };
  const first = await looksWithin(MINUTE, 1_000);
  expect(first).toBeGreaterThan(5);
  expect(first).toBeLessThan(25);
  await looksWithin(20 * 60 * MINUTE, 10 * MINUTE);
  expect(await looksWithin(60 * MINUTE, 2 * MINUTE)).toBeLessThanOrEqual(7);
});

test('a record that is removed during a round leaves no trace of a failure', async () => {
  const { submissions, store, later } = await stage(1, 0);
  const traces: Trace[] = [];
  listenForReports((trace) => traces.push(trace));
  // Those of other tests, which nobody heard.
  traces.length = 0;
  const { check } = submissions;
  submissions.check = async (id) => {
    await clear(store);
    return check(id);
  };
  later(MINUTE);
  await submissions.checkDue();
  expect(traces).toEqual([]);
});
