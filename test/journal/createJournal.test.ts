import { promisifyRequest } from 'idb-keyval';
import { describe, expect, it } from 'vitest';
import type { JournalOptions } from '../../src/journal/createJournal.ts';
import { keys, rangeOf, transact } from '../../src/journal/database.ts';
import { createJournal, type SubmissionDraft, type SubmissionRecord } from '../../src/journal/index.ts';
import { createHarness, cursorRef, draftOf, network, nextOf, ownExchange, payload, slotRequest } from './harness.ts';

const refusal = { code: 102_011, message: 'no', outcome: 'refused' as const };

type Journal = ReturnType<ReturnType<typeof createHarness>['start']>;

async function signed(journal: Journal, changes: Partial<SubmissionDraft> = {}, copies = 1): Promise<string> {
  const { id } = await journal.reserve(draftOf(changes), { copies });
  await journal.markSigned(id, payload);
  return id;
}

async function refused(journal: Journal, changes: Partial<SubmissionDraft> = {}, copies = 1): Promise<string> {
  const id = await signed(journal, changes, copies);
  await journal.markRefused(id, refusal);
  return id;
}

const caught = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe('a failure names its submission', () => {
  it('that the same request has', async () => {
    const journal = createHarness().start();
    const id = await signed(journal, { requestId: 'same' });
    expect(await caught(journal.reserve(draftOf({ requestId: 'same' })))).toMatchObject({
      ...{ code: 'request-exists', submissionId: id, message: `request same is submission ${id} already` },
    });
  });

  it('that was signed and refused before', async () => {
    const journal = createHarness().start();
    const first = await refused(journal, { requestId: 'same' });
    expect(await caught(journal.reserve(draftOf({ requestId: 'same' })))).toMatchObject({
      ...{ code: 'signed-before', submissionId: first, message: 'request same was signed 1 times' },
    });
    const second = await refused(journal, { requestId: 'same' }, 2);
    expect((await journal.get(second))?.copy).toBe(2);
    expect(await caught(journal.reserve(draftOf({ requestId: 'same' }), { copies: 2 }))).toMatchObject({
      ...{ code: 'signed-before', submissionId: second, message: 'request same was signed 2 times' },
    });
  });

  it('that waits for no answer', async () => {
    const journal = createHarness().start();
    const id = await refused(journal);
    expect(await caught(journal.markUnanswered(id, refusal))).toMatchObject({
      ...{ code: 'illegal-transition', submissionId: id },
      message: `submission ${id} is refused, not waiting for an answer`,
    });
  });

  it('and input of a wrong form its place, of which nothing is written', async () => {
    const journal = createHarness().start();
    expect(await caught(journal.reserve(draftOf({ requestId: '' })))).toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(/^the submission has a wrong shape at requestId: ./),
    });
    expect(await caught(journal.reserve(draftOf({ publicKey: { x: '', y: '1' } })))).toMatchObject({
      message: expect.stringMatching(/ at publicKey\.x: /),
    });
    expect(await caught(journal.reserve(null as never))).toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(/^the submission has a wrong shape: ./),
    });
    const { id } = await journal.reserve(draftOf());
    const wire = { endpoint: '', bodyText: '{}' };
    expect(await caught(journal.markSigned(id, { wire }))).toMatchObject({
      message: expect.stringMatching(/^the signed request has a wrong shape at endpoint: ./),
    });
    await journal.markSigned(id, payload);
    const wrong = { ...refusal, message: 5 } as never;
    const place = { code: 'bad-input', message: expect.stringMatching(/^the error has a wrong shape at message: ./) };
    expect(await caught(journal.markRefused(id, wrong))).toMatchObject(place);
    expect(await caught(journal.markUnanswered(id, wrong))).toMatchObject(place);
    expect((await journal.get(id))?.state).toBe('signed');
  });
});

describe('a record has', () => {
  it('only what it was given: no slot, no spending limit, no number of a first signature, no hash, no count of sends', async () => {
    const journal = createHarness().start();
    const { id } = await journal.reserve(draftOf());
    await journal.markSigned(id, { wire: payload.wire });
    const record = await journal.markUnanswered(id, { ...refusal, outcome: 'unknown' as const });
    for (const name of ['slot', 'rule', 'copy', 'hash', 'sends', 'ack']) expect(record).not.toHaveProperty(name);
  });

  it('the relayer’s last answer, and a note where there is one', async () => {
    const journal = createHarness().start();
    const id = await signed(journal);
    const { history } = await journal.markFinal(id, 'failed', {
      ack: { status: 'failed' },
      note: 'why',
    });
    expect(history.at(-1)).toMatchObject({ state: 'failed', note: 'why' });
    expect(await journal.get(id)).toMatchObject({ ack: { status: 'failed' } });
    const bare = await journal.markFinal(await signed(journal), 'processed');
    expect(bare).not.toHaveProperty('ack');
    expect(bare).not.toHaveProperty('error');
    const other = await signed(journal);
    await journal.markSent(other);
    const told = await journal.markAcknowledged(other, { status: 'processing' }, 'another hash');
    expect(told.history.at(-1)).toMatchObject({ note: 'another hash' });
    const { id: left } = await journal.reserve(draftOf());
    expect((await journal.markAbandoned(left, 'facts changed')).history.at(-1)).toMatchObject({
      note: 'facts changed',
    });
  });

  it('the hash of its payload, and as many sends as its history has when it comes from an earlier version', async () => {
    const { start, store } = createHarness();
    const journal = start();
    const id = await signed(journal);
    await journal.markSent(id);
    const { sends: _, ...earlier } = await journal.markSent(id);
    expect(earlier.hash).toBe(payload.hash);
    await transact(store, async (objects) => {
      objects.put(earlier, keys.submission(id));
    });
    expect((await journal.markSent(id)).sends).toBe(3);
  });

  it('the public key that it was signed with, where that is told', async () => {
    const journal = createHarness().start();
    const { id } = await journal.reserve(draftOf());
    const publicKey = { x: '0x1', y: '0x2' };
    expect(await journal.markSigned(id, { wire: payload.wire, publicKey })).toMatchObject({ publicKey });
    const { id: other } = await journal.reserve(draftOf());
    expect(await journal.markSigned(other, { wire: payload.wire })).not.toHaveProperty('publicKey');
  });

  it('one send less for bytes that did not leave, and never less than none', async () => {
    const journal = createHarness().start();
    const id = await signed(journal);
    await journal.markSent(id);
    await journal.markSent(id);
    const notSent = { code: 'transport', message: 'no', outcome: 'not-sent' as const };
    expect((await journal.markUnanswered(id, notSent)).sends).toBe(1);
    expect((await journal.markUnanswered(id, { ...notSent, outcome: 'unknown' })).sends).toBe(1);
    await journal.markUnanswered(id, notSent);
    expect((await journal.markUnanswered(id, notSent)).sends).toBe(0);
  });
});

describe('a refused submission', () => {
  it('is looked up while its signature is valid, and until it is said that it is over', async () => {
    const { start, clock } = createHarness();
    const journal = start();
    const endless = await refused(journal, { validUntil: undefined });
    const id = await signed(journal);
    const at = clock.ms;
    await journal.markRefused(id, refusal);
    const [entry, ...more] = await journal.watched();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ record: { id, error: refusal }, lookedAt: at });
    const record = entry?.record ?? { id: '', seq: 0 };
    await journal.markWatched(record, 5);
    expect((await start().watched()).map(({ lookedAt }) => lookedAt)).toEqual([5]);
    await journal.markWatched(record, null);
    // A look that was in progress meanwhile brings it back no more.
    await journal.markWatched(record, 6);
    expect(await journal.watched()).toEqual([]);
    expect((await journal.get(endless))?.state).toBe('refused');
  });

  it('is not the only one: so is what failed or expired before its signature ends, until it is open again', async () => {
    const { start, clock } = createHarness();
    const journal = start();
    const idsWatched = async () => (await journal.watched()).map(({ record }) => record.id);
    const later = { validUntil: Math.floor(clock.ms / 1000) + 60 };
    const [failed = '', expired, cancelled] = [
      await signed(journal, later),
      await signed(journal, later),
      await signed(journal, later),
    ];
    await journal.markFinal(failed, 'failed');
    await journal.markFinal(expired ?? '', 'expired');
    await journal.markFinal(cancelled ?? '', 'cancelled');
    expect(await idsWatched()).toEqual([failed, expired]);
    await journal.markAcknowledged(failed, { status: 'processing' });
    expect(await idsWatched()).toEqual([expired]);
    expect((await journal.pending()).map(({ id }) => id)).toEqual([failed]);
    clock.ms = later.validUntil * 1000;
    await journal.markFinal(failed, 'failed');
    expect(await idsWatched()).toEqual([expired]);
  });

  it('is looked up also when the entry of another one is damaged', async () => {
    const { start, store } = createHarness();
    const journal = start();
    const id = await refused(journal);
    await transact(store, async (objects) => {
      for (const [n, damage] of ['no entry', { id: 7, lookedAt: 5 }, { id }].entries())
        objects.put(damage, keys.watch(1_000 + n));
    });
    expect((await journal.watched()).map(({ record }) => record.id)).toEqual([id]);
  });

  it('is looked up no longer once it is found, and not forgotten before', async () => {
    const { start } = createHarness({ limit: 2 });
    const journal = start();
    const id = await refused(journal);
    await journal.markFinal(id, 'processed');
    expect(await journal.watched()).toEqual([]);
    const watched = await refused(journal);
    expect(await journal.watched()).toHaveLength(1);
    for (let i = 0; i < 3; i++) await journal.markFinal(await signed(journal), 'processed');
    expect((await journal.watched()).map(({ record }) => record.id)).toEqual([watched]);
    await journal.markWatched((await journal.get(watched)) ?? { id: '', seq: 0 }, null);
    await journal.markFinal(await signed(journal), 'processed');
    expect(await journal.get(watched)).toBeUndefined();
  });

  it('has all its copies listed, oldest first, those of other requests and sites left out', async () => {
    const journal = createHarness().start();
    const first = await refused(journal, { requestId: 'same' });
    await refused(journal, { requestId: 'other' });
    await refused(journal, { requestId: 'same', origin: 'https://other.example' });
    const second = await refused(journal, { requestId: 'same' }, 2);
    expect((await journal.copiesOf('https://dex.example', 'same')).map(({ id }) => id)).toEqual([first, second]);
  });
});

describe('a history beyond its bound', () => {
  it('forgets the request with the submission, unless the request has another one', async () => {
    const { start } = createHarness({ limit: 1 });
    const journal = start();
    const unending = { validUntil: undefined };
    const first = await refused(journal, { requestId: 'same', ...unending });
    const second = await refused(journal, { requestId: 'same', ...unending }, 2);
    expect(await journal.get(first)).toBeUndefined();
    expect((await journal.byRequest('https://dex.example', 'same'))?.id).toBe(second);
    await journal.markFinal(await signed(journal, { requestId: 'last' }), 'processed');
    expect(await journal.byRequest('https://dex.example', 'same')).toBeUndefined();
    expect((await journal.byRequest('https://dex.example', 'last'))?.state).toBe('processed');
    expect((await journal.everything()).records).toHaveLength(1);
  });

  it.each([[null], [{}], [true], [7]])('is kept also when a row of it is damaged: %j', async (damage) => {
    const { start, store } = createHarness({ limit: 1 });
    const journal = start();
    await journal.markFinal(await signed(journal), 'processed');
    await transact(store, async (objects) => void objects.put(damage, keys.final(1)));
    const [second, third] = [await signed(journal), await signed(journal)];
    for (const id of [second, third]) await journal.markFinal(id, 'processed');
    expect(await journal.get(second)).toBeUndefined();
    expect((await journal.get(third))?.state).toBe('processed');
    const rows = await store('readonly', (objects) => promisifyRequest(objects.getAll(rangeOf('final'))));
    expect(rows).toEqual([third]);
  });

  it('forgets what ended first, not what was reserved first', async () => {
    const journal = createHarness({ limit: 3 }).start();
    const end = (id: string) => journal.markFinal(id, 'processed');
    const long = [await signed(journal), await signed(journal)];
    const short = [];
    for (let i = 0; i < 3; i++) short.push(await end(await signed(journal)));
    for (const id of long) await end(id);
    expect((await journal.everything()).records.map(({ id }) => id)).toEqual([...long, short[2]?.id]);
    // Also beside more records of its age than are read at once.
    const longer = await signed(journal);
    for (let i = 0; i < 20; i++) await end(await signed(journal));
    await end(longer);
    expect((await journal.get(longer))?.state).toBe('processed');
    for (let i = 0; i < 2; i++) await end(await signed(journal));
    expect((await journal.get(longer))?.state).toBe('processed');
    await end(await signed(journal));
    expect(await journal.get(longer)).toBeUndefined();
  });

  it('never forgets the one that ends now, although its time is the earliest', async () => {
    const { clock, start } = createHarness({ limit: 1 });
    const journal = start();
    const [first, second] = [await signed(journal), await signed(journal)];
    await journal.markFinal(first, 'processed');
    clock.ms -= 1_000_000;
    await journal.markFinal(second, 'processed');
    expect((await journal.everything()).records.map(({ id }) => id)).toEqual([second]);
  });

  it('keeps what was handed over for as long as its signature is valid', async () => {
    const { clock, start } = createHarness({ limit: 1, isHandedOver: ({ operation }) => operation === 'signNftOrder' });
    const journal = start();
    const { id } = await journal.markFinal(await signed(journal, { operation: 'signNftOrder' }), 'processed');
    for (let i = 0; i < 3; i++) await journal.markFinal(await signed(journal), 'processed');
    expect((await journal.get(id))?.operation).toBe('signNftOrder');
    clock.ms = 1_800_000_600_000;
    await journal.markFinal(await signed(journal), 'processed');
    expect(await journal.get(id)).toBeUndefined();
  });

  describe('of what the relayer calls cancelled while its signature is valid', () => {
    const cancelled = async (journal: Journal, changes: Partial<SubmissionDraft> = {}) =>
      (await journal.markFinal(await signed(journal, changes), 'cancelled')).id;

    it('keeps it until the signature ends, in a later life of the worker too', async () => {
      const { clock, start } = createHarness({ limit: 1 });
      const journal = start();
      const id = await cancelled(journal);
      for (let i = 0; i < 3; i++) await journal.markFinal(await signed(journal), 'processed');
      expect((await journal.get(id))?.state).toBe('cancelled');
      const later = start();
      await later.markFinal(await signed(later), 'processed');
      expect(await later.everything()).toMatchObject({ records: [{ id }, { seq: 5 }] });
      clock.ms = 1_800_000_600_000;
      await later.markFinal(await signed(later), 'processed');
      expect(await later.everything()).toMatchObject({ records: [{ seq: 6 }] });
    });

    it('keeps as many as other submissions, those that are valid longest', async () => {
      const journal = createHarness({ limit: 2 }).start();
      const ends = [1_800_000_900, 1_800_000_500, 1_800_000_800, 1_800_000_700, 1_800_000_600];
      for (const validUntil of ends) await cancelled(journal, { validUntil });
      for (let i = 0; i < 3; i++) await journal.markFinal(await signed(journal), 'processed');
      const { records } = await journal.everything();
      expect(records).toMatchObject([{ validUntil: 1_800_000_900 }, { validUntil: 1_800_000_800 }, { seq: 8 }]);
    });

    it('forgets it in its turn when the signature has no end', async () => {
      const journal = createHarness({ limit: 1 }).start();
      const id = await cancelled(journal, { validUntil: undefined });
      await journal.markFinal(await signed(journal), 'processed');
      expect(await journal.get(id)).toBeUndefined();
    });
  });

  describe('of refused requests while they are looked up', () => {
    it('keeps as many as other submissions, those that are valid longest, and reads each once', async () => {
      const { start, store } = createHarness({ limit: 4 });
      let reads = 0;
      const counted: typeof store = (mode, callback) =>
        store(mode, (objects) => {
          const get = objects.get.bind(objects);
          return callback(
            Object.assign(objects, {
              get: (key: IDBValidKey) => {
                reads += 1;
                return get(key);
              },
            }),
          );
        });
      const journal = start(counted);
      const ends = Array.from({ length: 40 }, (_, index) => 1_800_000_500 + ((index * 7) % 40));
      for (const validUntil of ends) await refused(journal, { validUntil });
      for (let i = 0; i < 4; i++) await journal.markFinal(await signed(journal), 'processed');
      const kept = (await journal.watched()).map(({ record }) => record.validUntil ?? 0);
      expect(kept.sort()).toEqual([1_800_000_536, 1_800_000_537, 1_800_000_538, 1_800_000_539]);
      const id = await signed(journal);
      reads = 0;
      await journal.markFinal(id, 'processed');
      expect(reads).toBeLessThan(30);
    });

    it('keeps all that are needed', async () => {
      const isNeeded: NonNullable<JournalOptions['history']>['isNeeded'] = ({ operation }, isWatched) =>
        operation === 'transfer' && isWatched;
      const journal = createHarness({ limit: 1, isNeeded }).start();
      for (let i = 0; i < 4; i++) await refused(journal, { operation: 'transfer' });
      for (let i = 0; i < 2; i++)
        await journal.markFinal(await signed(journal, { operation: 'transfer' }), 'processed');
      expect(await journal.watched()).toHaveLength(4);
      expect((await journal.everything()).records).toHaveLength(5);
    });

    it('forgets one that is past its end before others', async () => {
      const { clock, start } = createHarness({ limit: 1 });
      const journal = start();
      const past = await refused(journal);
      await journal.markFinal(await signed(journal), 'processed');
      clock.ms = 1_800_000_700_000;
      await journal.markFinal(await signed(journal), 'processed');
      expect(await journal.get(past)).toBeDefined();
      const valid = await refused(journal, { validUntil: 1_800_000_900 });
      await journal.markFinal(await signed(journal), 'processed');
      expect((await journal.watched()).map(({ record }) => record.id)).toEqual([valid]);
    });
  });

  describe('of the submissions of one approval, keeps what followed one that is kept', () => {
    const origin = 'https://dex.example';
    const endOthers = async (journal: Journal) => {
      for (let i = 0; i < 3; i++) await journal.markFinal(await signed(journal), 'processed');
    };

    it.each(['processed', 'abandoned'] as const)('a copy that was %s, after a refused one', async (state) => {
      const { start } = createHarness({ limit: 2 });
      const journal = start();
      const first = await refused(journal, { requestId: 'same' });
      const second = await signed(journal, { requestId: 'same' }, 2);
      if (state === 'abandoned') await journal.markAbandoned(second, 'too late');
      else await journal.markFinal(second, state);
      await endOthers(journal);
      const later = start();
      await endOthers(later);
      expect((await later.byRequest(origin, 'same'))?.id).toBe(second);
      expect((await later.outcomeOf(origin, 'same'))?.id).toBe(state === 'abandoned' ? first : second);
    });

    it('another request, after a cancelled one', async () => {
      const journal = createHarness({ limit: 2 }).start();
      const first = (await journal.markFinal(await signed(journal, { requestId: 'same' }), 'cancelled')).id;
      const { id } = await journal.reserve(draftOf({ requestId: 'same/1' }), { after: first });
      await journal.markSigned(id, payload);
      await journal.markFinal(id, 'processed');
      await endOthers(journal);
      expect(await journal.byRequest(origin, 'same/1')).toMatchObject({ state: 'processed', after: first });
      expect((await journal.get(first))?.state).toBe('cancelled');
    });

    it('and forgets both once the first one is over', async () => {
      const { clock, start } = createHarness({ limit: 2 });
      const journal = start();
      const first = await refused(journal, { requestId: 'same' });
      await journal.markFinal(await signed(journal, { requestId: 'same' }, 2), 'processed');
      await endOthers(journal);
      clock.ms = 1_800_000_601_000;
      await journal.markWatched((await journal.get(first)) as SubmissionRecord, null);
      await endOthers(journal);
      expect((await journal.everything()).records).toHaveLength(2);
      expect(await journal.byRequest(origin, 'same')).toBeUndefined();
    });

    it('within the bound, the first one going before what followed', async () => {
      const journal = createHarness({ limit: 2 }).start();
      const firsts: string[] = [];
      for (const [index, requestId] of ['a', 'b', 'c'].entries()) {
        firsts.push(await refused(journal, { requestId, validUntil: 1_800_000_500 + index }));
        await journal.markFinal(await signed(journal, { requestId }, 2), 'processed');
      }
      for (let i = 0; i < 6; i++) {
        await journal.markFinal(await signed(journal), 'processed');
        const { records } = await journal.everything();
        for (const { id, requestId } of records)
          if (firsts.includes(id)) expect(await journal.byRequest(origin, requestId)).toMatchObject({ after: id });
      }
      expect((await journal.everything()).records).toHaveLength(3);
    });
  });

  it('keeps what a newer version wrote, of which it cannot tell what it is', async () => {
    const { start, store } = createHarness({ limit: 1 });
    const journal = start();
    const record = await journal.markFinal(await signed(journal), 'processed');
    await transact(store, async (objects) => {
      objects.put({ ...record, version: record.version + 1 }, keys.submission(record.id));
    });
    for (let i = 0; i < 3; i++) await journal.markFinal(await signed(journal), 'processed');
    expect(await journal.everything()).toMatchObject({ records: [{ seq: 4 }], damaged: [record.id] });
  });

  it('keeps what is needed as long as it is, however much that is, and comes back to its bound', async () => {
    let isNeeded = true;
    const { start } = createHarness({ limit: 2, isNeeded: () => isNeeded });
    const journal = start();
    for (let i = 0; i < 40; i++) await journal.markFinal(await signed(journal), 'processed');
    expect((await journal.everything()).records).toHaveLength(40);
    isNeeded = false;
    await journal.markFinal(await signed(journal), 'processed');
    expect((await journal.everything()).records).toHaveLength(2);
  });
});

it.each([
  ['has no request', { origin: 'https://dex.example' }],
  ['has no site', { requestId: 'request' }],
  ['is gone', undefined],
])('a settled submission that %s is forgotten in its turn', async (_title, left) => {
  const { start, store } = createHarness({ limit: 1 });
  const journal = start();
  const id = await refused(journal);
  await transact(store, async (objects) => {
    if (left) objects.put(left, keys.submission(id));
    else objects.delete(keys.submission(id));
  });
  await refused(journal);
  expect(await journal.everything()).toMatchObject({ records: [{ seq: 2 }], damaged: [] });
});

it('the relayer is not asked for a next id by what takes over a slot', async () => {
  const journal = createHarness().start();
  const nextFromRelayer = () => Promise.reject(new Error('asked'));
  const { slot } = await journal.reserve(draftOf(), { slot: { ...slotRequest, reuse: 40, nextFromRelayer } });
  expect(slot?.storageId).toBe(40 + 16_384);
});

it('a random source that repeats itself overwrites and gives up no submission', async () => {
  const { store, clock } = createHarness();
  const journal = createJournal({ store, exchangeOf: ownExchange, now: () => clock.ms, uuid: () => 'one' });
  const first = await journal.reserve(draftOf());
  const refuses = () => expect(journal.reserve(draftOf())).rejects.toMatchObject({ code: 'storage' });
  await refuses();
  expect(await journal.resume()).toEqual([]);
  expect((await journal.everything()).records).toEqual([first]);
  const signed = await journal.markSigned(first.id, payload);
  await refuses();
  expect((await journal.everything()).records).toEqual([signed]);
});

describe('a list', () => {
  it('is in the order of reservation, whatever the ids', async () => {
    const { store, clock } = createHarness();
    let left = 9;
    const uuid = () => `submission-${left--}`;
    const journal = createJournal({ store, exchangeOf: ownExchange, now: () => clock.ms, uuid });
    const ids = [await signed(journal), await signed(journal), await signed(journal)];
    expect((await journal.pending()).map(({ id }) => id)).toEqual(ids);
    expect((await journal.list()).map(({ id }) => id)).toEqual(ids.reverse());
  });

  it('has what fits each part of the filter, and stops at its limit', async () => {
    const journal = createHarness().start();
    const plain = await signed(journal);
    const others = [
      await signed(journal, { networkId: 'other' }),
      await signed(journal, { accountId: 10_006 }),
      await signed(journal, { origin: 'https://other.example' }),
      await signed(journal, { operation: 'transfer' }),
      await refused(journal),
    ];
    const idsOf = async (filter?: Parameters<Journal['list']>[0]) => (await journal.list(filter)).map(({ id }) => id);
    const all = [plain, ...others].reverse();
    expect(await idsOf()).toEqual(all);
    const without = (id: string | undefined) => all.filter((one) => one !== id);
    expect(await idsOf({ networkId: network.networkId })).toEqual(without(others[0]));
    expect(await idsOf({ accountId: network.accountId })).toEqual(without(others[1]));
    expect(await idsOf({ origin: 'https://dex.example' })).toEqual(without(others[2]));
    expect(await idsOf({ operations: ['submitOrder'] })).toEqual(without(others[3]));
    expect(await idsOf({ states: ['signed'] })).toEqual(without(others[4]));
    expect(await idsOf({ states: ['refused', 'processed'] })).toEqual([others[4]]);
    const hash = (await journal.get(String(plain)))?.hash ?? '';
    expect(await idsOf({ hashes: [hash] })).toContain(plain);
    expect(await idsOf({ hashes: [] })).toEqual([]);
    expect(await idsOf({ hashes: [`0x${'9'.repeat(64)}`] })).toEqual([]);
    expect(await idsOf({ limit: 2 })).toEqual(all.slice(0, 2));
  });
});

it('entries that are no records are left out of every list, and hide no other', async () => {
  const { start, store } = createHarness();
  const journal = start();
  const id = await signed(journal);
  const lost = await refused(journal);
  await transact(store, async (objects) => {
    for (const [name, damage] of Object.entries({ a: null, b: 'text', c: {}, d: { hash: 7 } }))
      objects.put(damage, keys.submission(name));
    objects.put({ id: lost }, keys.submission(lost));
  });
  expect((await journal.list()).map((record) => record.id)).toEqual([id]);
  expect((await journal.list({ states: ['signed'] })).map((record) => record.id)).toEqual([id]);
  expect(await journal.list({ hashes: ['0x9'] })).toEqual([]);
  expect(await journal.watched()).toEqual([]);
  expect((await journal.everything()).damaged).toEqual(['a', 'b', 'c', 'd', lost]);
});

it('what has changed since a time is listed, also what was reserved long before', async () => {
  const { clock, start } = createHarness();
  const journal = start();
  const id = await signed(journal);
  await signed(journal);
  clock.ms += 1_000;
  const changedSince = clock.ms;
  expect(await journal.list({ changedSince })).toEqual([]);
  await journal.markAbandoned(id, 'closed');
  expect((await journal.list({ changedSince })).map((record) => record.id)).toEqual([id]);
  expect(await journal.list({ changedSince: clock.ms })).toEqual([]);
});

it('a refused submission without a storage id is taken up again when the relayer has it', async () => {
  const journal = createHarness().start();
  const id = await refused(journal);
  expect((await journal.markAcknowledged(id, {})).state).toBe('acknowledged');
  expect((await journal.pending()).map((record) => record.id)).toEqual([id]);
});

describe('a submission needs attention', () => {
  const minute = 60_000;

  it('once it is left reserved, unanswered or past its end for longer than the grace, and at once after an error', async () => {
    const harness = createHarness();
    const journal = harness.start();
    const needs = async (of = journal) => (await of.needsAttention()).map(({ state, id }) => `${state} ${id}`);
    const { id: reserved } = await journal.reserve(draftOf());
    const reservedAt = harness.clock.ms;
    const unanswered = await signed(journal);
    const signedAt = harness.clock.ms;
    const taken = await signed(journal);
    await journal.markAcknowledged(taken, {});
    const endless = await signed(journal, { validUntil: undefined });
    await journal.markAcknowledged(endless, {});
    expect(await needs()).toEqual([]);
    harness.clock.ms = signedAt - 1 + minute;
    expect(await needs()).toEqual([]);
    harness.clock.ms = signedAt + minute;
    expect(await needs()).toEqual([`signed ${unanswered}`]);
    // The worker that reserved it was stopped.
    const next = harness.start();
    harness.clock.ms = reservedAt - 1 + minute;
    expect(await needs(next)).toEqual([]);
    harness.clock.ms = reservedAt + minute;
    expect(await needs(next)).toEqual([`reserved ${reserved}`]);
    harness.clock.ms = 1_800_000_600_000 + minute;
    expect(await needs(next)).toEqual([`reserved ${reserved}`, `signed ${unanswered}`]);
    harness.clock.ms = 1_800_000_600_000 + minute + 1;
    expect(await needs(next)).toContain(`acknowledged ${taken}`);
    expect(await needs(next)).toHaveLength(3);
    const failed = await signed(next);
    await next.markUnanswered(failed, { code: 'timeout', message: 'no', outcome: 'unknown' });
    expect(await needs(next)).toContain(`signed ${failed}`);
  });
});

it('an export has every submission and cursor', async () => {
  const { start, clock } = createHarness();
  const journal = start();
  const { id } = await journal.reserve(draftOf(), { slot: slotRequest });
  clock.ms = 1_800_000_009_000;
  expect(await journal.exportAll()).toEqual({
    ...{ format: 'countersign-journal', version: 3, exportedAt: 1_800_000_009_000 },
    submissions: [await journal.get(id)],
    cursors: [{ exchange: 'local', accountId: 10_005, tokenId: 1, parity: 'order', next: 22 }],
  });
});

it('a cursor follows what the relayer reports upwards, and says the next id', async () => {
  const journal = createHarness().start();
  expect(await journal.resyncCursor(cursorRef, 40)).toBe(40);
  expect(await journal.resyncCursor(cursorRef, 20)).toBe(40);
  expect(await nextOf(journal, cursorRef)).toBe(40);
  expect(await caught(journal.resyncCursor(cursorRef, 41))).toMatchObject({
    message: expect.stringContaining('the relayer’s next storage id'),
  });
  expect(await caught(journal.resyncCursor(cursorRef, 4_000_000))).toMatchObject({
    ...{ code: 'id-jump', jump: { known: 40, named: 4_000_000 } },
  });
});
