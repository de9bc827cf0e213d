import { IDBFactory } from 'fake-indexeddb';
import { promisifyRequest, type UseStore } from 'idb-keyval';
import { describe, expect, it } from 'vitest';
import { keys, rangeOf, rangeUnder, read, readOnly, readSubmission, transact } from '../../src/journal/database.ts';
import { asJournalError, JournalError } from '../../src/journal/errors.ts';
import { z } from '../../src/protocol/zod.ts';
import { createStores } from '../../src/storage/stores.ts';
import { createHarness, draftOf } from './harness.ts';

const caught = (work: Promise<unknown>) => work.catch((error: unknown) => error);
const cursor = (exchange: string, accountId = 1, tokenId = 2) =>
  ({ exchange, accountId, tokenId, parity: 'order' }) as const;

/** A store with these keys, each with a value of its own number. */
async function stored(...entries: readonly IDBValidKey[]): Promise<UseStore> {
  const store = createStores('journal', 'entries', new IDBFactory()).strict;
  await transact(store, async (objects) => {
    for (const [index, key] of entries.entries()) objects.put(index, key);
  });
  return store;
}

const numbersIn = (store: UseStore, range: IDBKeyRange) =>
  readOnly(store, (objects) => promisifyRequest<number[]>(objects.getAll(range)));

describe('keys', () => {
  it('keep the kinds, and all that an entry belongs to, apart', () => {
    expect([
      keys.sequence,
      keys.submission('id'),
      keys.request('https://site.example', 'request'),
      keys.exchange('net'),
      keys.cursor({ ...cursor('0x1'), parity: 'offchain' }),
      keys.slot(cursor('0x1'), 7),
      keys.final(3),
      keys.watch(3),
      keys.rule('rule'),
    ]).toEqual([
      ['sequence'],
      ['submission', 'id'],
      ['request', 'https://site.example', 'request'],
      ['exchange', 'net'],
      ['cursor', '0x1', 1, 2, 'offchain'],
      ['slot', '0x1', 1, 2, 7],
      ['final', 3],
      ['watch', 3],
      ['rule', 'rule'],
    ]);
  });

  it('of one kind are a range, whatever stands behind it', async () => {
    const store = await stored(keys.final(1), keys.submission(''), keys.submission('z'), keys.watch(0), [
      'submissions',
      'a',
    ]);
    expect(await numbersIn(store, rangeOf('submission'))).toEqual([1, 2]);
    expect(await numbersIn(store, rangeOf('final'))).toEqual([0]);
    expect(await numbersIn(store, rangeOf('watch'))).toEqual([3]);
    expect(await numbersIn(store, rangeOf('cursor'))).toEqual([]);
  });

  it('under one exchange are a range, and another’s are not in it', async () => {
    const one = cursor('0x1');
    const store = await stored(
      keys.cursor(one),
      keys.cursor(cursor('0x1', 9, 9)),
      keys.cursor(cursor('0x10')),
      keys.cursor(cursor('0x')),
      keys.slot(one, 0),
    );
    expect(await numbersIn(store, rangeUnder('cursor', '0x1'))).toEqual([0, 1]);
    expect(await numbersIn(store, rangeUnder('slot', '0x1'))).toEqual([4]);
  });
});

describe('an entry', () => {
  it('is read by its schema, and is nothing where there is none', async () => {
    const store = await stored(['rule', 'a']);
    expect(await readOnly(store, (objects) => read(objects, ['rule', 'a'], z.int()))).toBe(0);
    expect(await readOnly(store, (objects) => read(objects, ['rule', 'b'], z.int()))).toBeUndefined();
  });

  it('of another form is damaged, and says which it is, not what it holds', async () => {
    const store = await stored(['rule', 'a', 5]);
    expect(await caught(readOnly(store, (objects) => read(objects, ['rule', 'a', 5], z.string())))).toMatchObject({
      ...{ name: 'JournalError', code: 'corrupt', message: 'the journal entry rule/a/5 is damaged or newer' },
    });
  });

  it('of a submission is its record', async () => {
    const { start, store } = createHarness();
    const record = await start().reserve(draftOf());
    expect(await readOnly(store, (objects) => readSubmission(objects, record.id))).toEqual(record);
  });

  it('of a submission that is not there is named', async () => {
    const store = await stored();
    expect(await caught(readOnly(store, (objects) => readSubmission(objects, 'none')))).toMatchObject({
      ...{ code: 'not-found', message: 'there is no submission none', submissionId: 'none', jump: undefined },
    });
  });
});

describe('a failure', () => {
  const full = Object.assign(new Error('no room'), { name: 'QuotaExceededError' });

  it.each(['read', 'written'])(
    'of the database while it is %s has a code of the journal and its cause',
    async (how) => {
      const cause = new DOMException('Internal error', 'UnknownError');
      const work = () => Promise.reject(cause);
      const store = await stored();
      const error = await caught(how === 'read' ? readOnly(store, work) : transact(store, work));
      expect(error).toBeInstanceOf(JournalError);
      expect(error).toMatchObject({ code: 'storage', message: 'the journal database failed', cause });
    },
  );

  it('of the journal itself passes as it is', async () => {
    const own = new JournalError('cursor-unknown', 'no');
    const store = await stored();
    expect(await caught(readOnly(store, () => Promise.reject(own)))).toBe(own);
    expect(await caught(transact(store, () => Promise.reject(own)))).toBe(own);
  });

  it('for want of room is told from others', () => {
    expect(asJournalError(full)).toMatchObject({
      ...{ code: 'storage-full', message: 'the journal database failed', cause: full },
    });
    expect(asJournalError({ name: 'QuotaExceededError' }).code).toBe('storage');
  });

  it('without a reason, as that of a transaction that was aborted, has no cause', () => {
    expect('cause' in asJournalError(null)).toBe(false);
    expect('cause' in new JournalError('storage', 'no')).toBe(false);
    expect(new JournalError('storage', 'no')).toMatchObject({ submissionId: undefined, jump: undefined });
  });
});
