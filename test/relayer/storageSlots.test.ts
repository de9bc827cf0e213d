import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_UINT32 } from '../../src/protocol/limits.ts';
import type { Sql } from '../../src/relayer/db/port.ts';
import { nextStorageId, takePaymentId } from '../../src/relayer/engine/storageSlots.ts';
import { takeSlot } from '../../src/relayer/engine/takeSlot.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { rowsReadBy } from './support/rowsRead.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const OPERATOR = 1;
const SLOTS = 16_384;

let relayer: TestRelayer;
beforeAll(async () => {
  relayer = await startRelayer();
}, START_TIMEOUT_MS);
afterAll(() => relayer.close());

it('the next id is found among 8,192 used ones in one reading of them, and that of a payment in none', async () => {
  await relayer.relayer.db.transaction(async (tx) => {
    // A small table would be read whole. It has no statistics, as one that has just grown.
    await tx.query('SET LOCAL enable_seqscan = off');
    let payments = 0;
    const pay = async () => {
      let rows = 0;
      const counting: Sql = {
        query: async (text, values) => {
          rows += await rowsReadBy(tx, text, values);
          return tx.query(text, values);
        },
      };
      const searched = await nextStorageId(counting, OPERATOR, LRC, 1, false);
      expect(rows).toBeLessThan(3 * SLOTS);
      rows = 0;
      const taken = await takePaymentId(counting, OPERATOR, LRC);
      expect(taken).toBe(searched);
      // Refused if another payment or a larger id had the slot.
      await takeSlot(tx, OPERATOR, { tokenId: LRC, storageId: taken as number }, `payment ${payments++}`, 0);
      return { taken, rows };
    };
    expect(await pay()).toMatchObject({ taken: 1 });
    // All but the last slot, in which the operator has signed a transfer of its own.
    await tx.query(
      `INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
       SELECT $1, $2, slot, slot, '' FROM generate_series(3, ${SLOTS - 5}, 2) AS slot`,
      [OPERATOR, LRC],
    );
    await takeSlot(tx, OPERATOR, { tokenId: LRC, storageId: SLOTS - 1 }, 'own', 0);
    // The search finds what is free, and the payments go on from there.
    expect((await pay()).taken).toBe(SLOTS - 3);
    expect((await pay()).taken).toBe(SLOTS + 1);
    const { taken, rows } = await pay();
    expect(taken).toBe(SLOTS + 3);
    expect(rows).toBeLessThan(20);
  });
});

it('an id that is given out ends no open order and no waiting request', async () => {
  const { db } = relayer.relayer;
  const account = await relayer.account();
  const next = async () => (await account.get('/api/v3/storageId', { sellTokenId: LRC })).body;
  const order = await account.submit(await account.order([LRC, 50n * ether], [ETH, 50n * ether], { storageId: 0 }));
  const transfer = await account.post(
    '/api/v3/transfer',
    await account.transfer(relayer.place.exchange, [LRC, ether], { storageId: 1 }),
  );
  expect([order.body.status, transfer.body.status]).toEqual(['processing', 'received']);
  // A full round of both counters, in which only these two are left.
  await db.query(
    `INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
     SELECT $1, $2, slot, slot, '' FROM generate_series(2, ${SLOTS - 1}) AS slot`,
    [account.accountId, LRC],
  );
  expect(await next()).toEqual({ orderId: SLOTS + 2, offchainId: SLOTS + 3 });

  // None is left: as if the one order and the one request had every slot of their counters.
  const fill = (parity: 0 | 1, ref: string) =>
    db.query('UPDATE storage_slots SET ref = $1 WHERE account_id = $2 AND token_id = $3 AND slot % 2 = $4', [
      ...[ref, account.accountId, LRC, parity],
    ]);
  await fill(0, order.body.hash);
  expect(await next()).toEqual({ offchainId: SLOTS + 3 });
  await fill(1, transfer.body.hash);
  expect((await next()).resultInfo).toMatchObject({ code: 102028 });
  await relayer.block();
  expect(await next()).toEqual({ offchainId: SLOTS + 1 });
  await account.cancel({ orderHash: order.body.hash });
  expect(await next()).toEqual({ orderId: SLOTS, offchainId: SLOTS + 1 });
});

it('the id of a payment ends no waiting request of the account that pays', async () => {
  const { db } = relayer.relayer;
  const account = await relayer.account();
  const paid = () => db.transaction((tx) => takePaymentId(tx, account.accountId, LRC));
  const transfer = await account.post(
    '/api/v3/transfer',
    await account.transfer(relayer.place.exchange, [LRC, ether], { storageId: 1 }),
  );
  expect(transfer.body.status).toBe('received');
  // The last payment took the last slot of a round; the next round begins with that request's slot.
  await db.query(
    `INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
     SELECT $1, $2, slot, slot, '' FROM generate_series(3, ${SLOTS - 1}, 2) AS slot`,
    [account.accountId, LRC],
  );
  await db.query('INSERT INTO settings (key, value) VALUES ($1, $2)', [
    `payment_storage_id_${account.accountId}_${LRC}`,
    String(SLOTS - 1),
  ]);
  expect(await paid()).toBe(SLOTS + 3);
});

it('the id of a payment begins anew behind the last one that has 32 bits', async () => {
  const { db } = relayer.relayer;
  const account = await relayer.account();
  await db.query('INSERT INTO settings (key, value) VALUES ($1, $2)', [
    `payment_storage_id_${account.accountId}_${LRC}`,
    String(MAX_UINT32 - 2),
  ]);
  const paid = () => db.transaction((tx) => takePaymentId(tx, account.accountId, LRC));
  expect([await paid(), await paid()]).toEqual([MAX_UINT32, 1]);
});

it('a slot stays with its larger id, also where the refusal of a smaller one is caught', async () => {
  const { db } = relayer.relayer;
  const { accountId } = await relayer.account();
  const refusals = await db.transaction(async (tx) => {
    const take = (storageId: number, ref: string) => takeSlot(tx, accountId, { tokenId: LRC, storageId }, ref, 0);
    await take(SLOTS + 7, 'first');
    return Promise.all([SLOTS + 7, 7].map((id) => take(id, 'later').catch(({ reason }) => reason)));
  });
  expect(refusals).toEqual(['NONCE_INVALID', 'STORAGE_ID_INVALID']);
  expect(
    await db.query('SELECT storage_id, ref FROM storage_slots WHERE account_id = $1 AND slot = 7', [accountId]),
  ).toEqual([{ storage_id: SLOTS + 7, ref: 'first' }]);
});
