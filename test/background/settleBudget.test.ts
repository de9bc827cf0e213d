import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { createSubmissions } from '../../src/background/submissions/submissions.ts';
import { createJournal, type SubmissionRecord } from '../../src/journal/index.ts';
import { createStrictStore } from '../../src/storage/stores.ts';
import { createPromiseLock } from '../support/promiseLock.ts';

globalThis.IDBKeyRange ??= IDBKeyRange;

const MINUTE = 60_000;

/**
 * Open orders of two sites in a real journal; looks at the relayer are counted, none is answered.
 */
async function stage(greedy: number, modest: number) {
  const store = createStrictStore('journal', 'entries', new IDBFactory());
  let time = 1_800_000_000_000;
  const now = () => time;
  const journal = createJournal({
    store,
    lock: createPromiseLock(),
    exchangeOf: async (id) => ({ id, networkIds: [id] }),
    now,
    uuid: () => crypto.randomUUID(),
  });
  const add = async (origin: string) => {
    const { id } = await journal.reserve({
      networkId: 'net',
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
      read: async () => {
        throw new Error('nobody answers');
      },
    } as never,
    relayers: {} as never,
    accountKeys: {} as never,
    changed: async () => {},
  });
  const counted = submissions.check;
  submissions.check = async (id: string): Promise<SubmissionRecord> => {
    looks.push({ id, origin: (await journal.get(id))?.origin ?? '' });
    return counted(id);
  };
  return {
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
