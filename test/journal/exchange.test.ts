import { promisifyRequest } from 'idb-keyval';
import { describe, expect, it } from 'vitest';
import { keys } from '../../src/journal/database.ts';
import { createJournal, type Exchange } from '../../src/journal/index.ts';
import { createHarness, cursorRef, draftOf, nextOf, payload, slotRequest } from './harness.ts';

const EXCHANGE = '31337:0xabc';
const SLOTS = 2 ** 14;

let numbers = 0;

/** A journal over the same store that knows which networks lead to one exchange. */
function knowing({ store, clock }: ReturnType<typeof createHarness>, networkIds: readonly string[], id = EXCHANGE) {
  return createJournal({
    store,
    now: () => clock.ms++,
    uuid: () => `known-${++numbers}`,
    exchangeOf: async (networkId): Promise<Exchange> =>
      networkIds.includes(networkId) ? { id, networkIds } : { id: networkId, networkIds: [networkId] },
  });
}

describe('networks of one exchange', () => {
  it('share their cursors: no storage id is handed out twice', async () => {
    const journal = knowing(createHarness(), ['a', 'b']);
    const ids = [];
    for (const networkId of ['a', 'b', 'a', 'other'])
      ids.push((await journal.reserve(draftOf({ networkId }), { slot: slotRequest })).slot?.storageId);
    expect(ids).toEqual([20, 22, 24, 20]);
    expect(await nextOf(journal, { ...cursorRef, networkId: 'b' }, EXCHANGE)).toBe(26);
  });

  it('have one list of submissions; a journal that knows no exchanges lists those of one network', async () => {
    const harness = createHarness();
    const journal = knowing(harness, ['a', 'b']);
    const ids: string[] = [];
    for (const networkId of ['a', 'b', 'other']) ids.push((await journal.reserve(draftOf({ networkId }))).id);
    const listOf = async (of: typeof journal, exchangeOf: string) =>
      (await of.list({ exchangeOf })).map(({ id }) => id);
    expect(await listOf(journal, 'a')).toEqual([ids[1], ids[0]]);
    expect(await listOf(journal, 'other')).toEqual([ids[2]]);
    expect(await listOf(harness.start(), 'a')).toEqual([ids[0]]);
  });

  it('list what was signed through a network that was removed, also when another URL followed it', async () => {
    const harness = createHarness();
    const { id } = await knowing(harness, ['a']).reserve(draftOf({ networkId: 'a' }));
    await knowing(harness, ['x'], '31337:0xdef').reserve(draftOf({ networkId: 'x' }));
    const listed = await knowing(harness, ['b']).list({ exchangeOf: 'b' });
    expect(listed.map((record) => record.id)).toEqual([id]);
  });

  it('bring along what an earlier version kept for each: the higher cursor, and the slots of open requests', async () => {
    const harness = createHarness();
    const before = harness.start();
    const low = await before.reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    await before.reserve(draftOf({ networkId: 'b' }), { slot: { ...slotRequest, nextFromRelayer: 40 } });
    const journal = knowing(harness, ['a', 'b']);
    const next = await journal.reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    expect(next.slot?.storageId).toBe(42);
    await journal.resyncCursor({ ...cursorRef, networkId: 'b' }, 20 + SLOTS);
    expect((await journal.reserve(draftOf({ networkId: 'b' }), { slot: slotRequest })).slot?.storageId).toBe(
      22 + SLOTS,
    );
    // A request of the earlier version gives its slot free at its new place.
    await journal.markAbandoned(low.id, 'stopped before signing');
    await journal.resyncCursor({ ...cursorRef, networkId: 'b' }, 20 + 2 * SLOTS);
    expect((await journal.reserve(draftOf({ networkId: 'b' }), { slot: slotRequest })).slot?.storageId).toBe(
      20 + 2 * SLOTS,
    );
  });

  it('are joined by a network that is added later', async () => {
    const harness = createHarness();
    await knowing(harness, ['a']).reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    await harness.start().reserve(draftOf({ networkId: 'b' }), { slot: { ...slotRequest, nextFromRelayer: 60 } });
    const next = await knowing(harness, ['a', 'b']).reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    expect(next.slot?.storageId).toBe(62);
  });

  it('keep their cursors and open slots when two requests are the first ones after a network was added', async () => {
    const harness = createHarness();
    await knowing(harness, ['a']).reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    const journal = knowing(harness, ['a', 'b']);
    const take = async (networkId: string) =>
      (await journal.reserve(draftOf({ networkId }), { slot: slotRequest })).slot?.storageId;
    expect(await Promise.all([take('a'), take('b')])).toEqual([22, 24]);
    await journal.resyncCursor({ ...cursorRef, networkId: 'a' }, 20 + SLOTS);
    expect(await take('b')).toBe(26 + SLOTS);
  });
});

describe('cursors and slots of an earlier version', () => {
  const cursorOf = (exchange: string) =>
    keys.cursor({ exchange, accountId: 10005, tokenId: 1, parity: 'order' }) as IDBValidKey;

  it('stay where they are when the network is an exchange of its own', async () => {
    const harness = createHarness();
    const before = await harness.start().reserve(draftOf({ networkId: 'own' }), { slot: slotRequest });
    const next = await knowing(harness, []).reserve(draftOf({ networkId: 'own' }), { slot: slotRequest });
    expect([before.slot?.storageId, next.slot?.storageId]).toEqual([20, 22]);
  });

  it('are joined slot by slot: the highest id that was used in one of them is used in all', async () => {
    const harness = createHarness();
    const before = harness.start();
    await before.reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    const reuse = { slot: { tokenId: 1, parity: 'order' as const, reuse: 20 } };
    const over = await before.reserve(draftOf({ networkId: 'a' }), reuse);
    expect(over.slot?.storageId).toBe(20 + SLOTS);
    await before.reserve(draftOf({ networkId: 'b' }), { slot: slotRequest });
    const journal = knowing(harness, ['a', 'b']);
    expect((await journal.reserve(draftOf({ networkId: 'b' }), reuse)).slot?.storageId).toBe(20 + 2 * SLOTS);
  });

  it('stay taken where a site can still use what was signed in them', async () => {
    const harness = createHarness({ isHandedOver: () => true });
    const before = harness.start();
    const { id } = await before.reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    await before.markSigned(id, payload);
    await before.markFinal(id, 'processed');
    const journal = knowing(harness, ['a', 'b']);
    await journal.resyncCursor({ ...cursorRef, networkId: 'b' }, 20 + SLOTS);
    const next = await journal.reserve(draftOf({ networkId: 'b' }), { slot: slotRequest });
    expect(next.slot?.storageId).toBe(22 + SLOTS);
  });

  it('are left behind when they cannot be read, and the relayer is asked', async () => {
    const harness = createHarness();
    const { slot } = await harness.start().reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
    await harness.store('readwrite', (objects) => {
      objects.put({ version: 0 }, cursorOf('a'));
      objects.put({ version: 0 }, keys.slot({ exchange: 'a', accountId: 10005, tokenId: 1, parity: 'order' }, 20));
      return promisifyRequest(objects.count());
    });
    expect(slot?.storageId).toBe(20);
    const asked = { slot: { ...slotRequest, nextFromRelayer: 40 } };
    const next = await knowing(harness, ['a']).reserve(draftOf({ networkId: 'a' }), asked);
    expect(next.slot?.storageId).toBe(40);
    expect(await harness.store('readonly', (objects) => promisifyRequest(objects.get(cursorOf('a'))))).toEqual({
      version: 0,
    });
  });
});

it('a cursor of an exchange that cannot be read is not replaced by a lower one of a network', async () => {
  const harness = createHarness();
  await harness.start().reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
  await harness.store('readwrite', (objects) => {
    objects.put({ version: 0 }, keys.cursor({ exchange: EXCHANGE, accountId: 10005, tokenId: 1, parity: 'order' }));
    return promisifyRequest(objects.count());
  });
  const asked = { slot: { ...slotRequest, nextFromRelayer: async () => 40 } };
  const next = await knowing(harness, ['a']).reserve(draftOf({ networkId: 'a' }), asked);
  expect(next.slot?.storageId).toBe(40);
});

it('a slot of an exchange that cannot be read is not replaced by one of a network', async () => {
  const harness = createHarness();
  await harness.start().reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
  const damaged = keys.slot({ exchange: EXCHANGE, accountId: 10005, tokenId: 1, parity: 'order' }, 20);
  await harness.store('readwrite', (objects) => {
    objects.put({ version: 0 }, damaged);
    return promisifyRequest(objects.count());
  });
  await knowing(harness, ['a']).reserve(draftOf({ networkId: 'a' }), { slot: slotRequest });
  expect(await harness.store('readonly', (objects) => promisifyRequest(objects.get(damaged)))).toEqual({ version: 0 });
});

describe('a relayer that names a storage id far ahead', () => {
  const far = { ...slotRequest, nextFromRelayer: 4_294_967_294 };

  it('is not believed, and nothing is written', async () => {
    const journal = createHarness().start();
    await expect(journal.reserve(draftOf(), { slot: far })).rejects.toMatchObject({
      code: 'id-jump',
      jump: { known: 0, named: 4_294_967_294 },
    });
    expect(await journal.list()).toEqual([]);
    expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(20);
    await expect(journal.resyncCursor(cursorRef, 4_294_967_294)).rejects.toMatchObject({ code: 'id-jump' });
    expect(await nextOf(journal, cursorRef)).toBe(22);
  });

  it('is believed once the user approved that very id', async () => {
    const journal = createHarness().start();
    const accepted = 4_294_967_294;
    expect((await journal.reserve(draftOf(), { slot: { ...far, accepted } })).slot?.storageId).toBe(accepted);
    const other = { slot: { ...slotRequest, tokenId: 2, nextFromRelayer: 2_000_000, accepted } };
    await expect(journal.reserve(draftOf(), other)).rejects.toMatchObject({ code: 'id-jump' });
  });

  it('is believed within a million of the last known one', async () => {
    const journal = createHarness().start();
    const next = await journal.reserve(draftOf(), { slot: { ...slotRequest, nextFromRelayer: 1_000_000 } });
    expect(next.slot?.storageId).toBe(1_000_000);
    await expect(journal.resyncCursor(cursorRef, 2_000_004)).rejects.toMatchObject({ code: 'id-jump' });
    expect(await journal.resyncCursor(cursorRef, 2_000_002)).toBe(2_000_002);
  });

  it('is believed less far ahead of a known one where the caller says so', async () => {
    const journal = createHarness().start();
    expect(await journal.resyncCursor(cursorRef, 40, 10)).toBe(40);
    await expect(journal.resyncCursor(cursorRef, 52, 10)).rejects.toMatchObject({ code: 'id-jump' });
    expect(await journal.resyncCursor(cursorRef, 50, 10)).toBe(50);
  });
});

describe('slots of open orders that this journal does not know', () => {
  it('are read at the first use, and for each id beyond the first turn around the slots, and passed over', async () => {
    const journal = createHarness().start();
    const reads: number[] = [];
    let open = [20, 24];
    const openSlots = async () => {
      reads.push(reads.length);
      return open;
    };
    const take = async (changes: object = {}) =>
      (await journal.reserve(draftOf(), { slot: { ...slotRequest, openSlots, ...changes } })).slot?.storageId;
    expect(await take()).toBe(22);
    expect(await take()).toBe(26);
    expect(reads).toHaveLength(1);
    await journal.resyncCursor(cursorRef, SLOTS - 2);
    expect(await take()).toBe(SLOTS - 2);
    expect(reads).toHaveLength(1);
    open = [0, 2, 4];
    expect(await take()).toBe(SLOTS + 6);
    expect(reads).toHaveLength(2);
    // Another browser has placed an order in between.
    open = [0, 2, 4, 8];
    expect(await take()).toBe(SLOTS + 10);
    expect(reads).toHaveLength(3);
  });

  it('are read again when none is free', async () => {
    const journal = createHarness().start();
    let open = Array.from({ length: SLOTS / 2 - 1 }, (_, index) => 2 * index);
    const slot = { ...slotRequest, nextFromRelayer: 0, openSlots: async () => open };
    expect((await journal.reserve(draftOf(), { slot })).slot?.storageId).toBe(SLOTS - 2);
    open = open.filter((place) => place !== 8);
    expect((await journal.reserve(draftOf(), { slot })).slot?.storageId).toBe(SLOTS + 8);
  });

  it('are not read for a request that cannot be reserved for another reason', async () => {
    const journal = createHarness().start();
    const slot = { ...slotRequest, openSlots: () => Promise.reject(new Error('asked')) };
    await journal.reserve(draftOf({ requestId: 'same' }));
    await expect(journal.reserve(draftOf({ requestId: 'same' }), { slot })).rejects.toMatchObject({
      code: 'request-exists',
    });
    // Without a slot there is nobody to ask.
    await expect(journal.reserve(draftOf({ requestId: 'same' }))).rejects.toMatchObject({ code: 'request-exists' });
  });

  it('leave nothing behind when they cannot be read', async () => {
    const journal = createHarness().start();
    const openSlots = async () => {
      throw new TypeError('fetch failed');
    };
    await expect(journal.reserve(draftOf(), { slot: { ...slotRequest, openSlots } })).rejects.toThrow('fetch failed');
    expect(await journal.list()).toEqual([]);
    expect(await nextOf(journal, cursorRef)).toBeUndefined();
  });
});

it('an id that was taken by taking over a slot and equals the cursor is not handed out again', async () => {
  const journal = createHarness().start();
  const first = await journal.reserve(draftOf(), { slot: slotRequest });
  await journal.resyncCursor(cursorRef, 20 + SLOTS);
  await journal.markAbandoned(first.id, 'closed');
  const over = await journal.reserve(draftOf(), { slot: { tokenId: 1, parity: 'order', reuse: 20 } });
  expect(over.slot?.storageId).toBe(20 + SLOTS);
  await journal.markSigned(over.id, payload);
  await journal.markFinal(over.id, 'failed');
  expect((await journal.reserve(draftOf(), { slot: slotRequest })).slot?.storageId).toBe(22 + SLOTS);
});
