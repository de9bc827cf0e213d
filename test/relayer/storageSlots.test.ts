import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sql } from '../../src/relayer/db/port.ts';
import { nextStorageId, reserveSlot, takePaymentId } from '../../src/relayer/engine/storageSlots.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { type Plan, rowsRead } from './support/rowsRead.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';

const OPERATOR = 1;
const LRC = 1;
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
    const pay = async () => {
      let rows = 0;
      const counting: Sql = {
        query: async (text, values) => {
          const [row] = await tx.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
          const explained = row?.['QUERY PLAN'];
          const [{ Plan }] = (typeof explained === 'string' ? JSON.parse(explained) : explained) as [{ Plan: Plan }];
          rows += rowsRead(Plan);
          return tx.query(text, values);
        },
      };
      const searched = await nextStorageId(counting, OPERATOR, LRC, 1, false);
      expect(rows).toBeLessThan(3 * SLOTS);
      rows = 0;
      const taken = await takePaymentId(counting, OPERATOR, LRC);
      expect(taken).toBe(searched);
      expect(await reserveSlot(tx, OPERATOR, LRC, taken as number, 'payment')).toMatchObject({ kind: 'reserved' });
      return { taken, rows };
    };
    expect(await pay()).toMatchObject({ taken: 1 });
    // All but the last slot, in which the operator has signed a transfer of its own.
    await tx.query(
      `INSERT INTO storage_slots (account_id, token_id, slot, storage_id, ref)
       SELECT $1, $2, slot, slot, '' FROM generate_series(3, ${SLOTS - 5}, 2) AS slot`,
      [OPERATOR, LRC],
    );
    await reserveSlot(tx, OPERATOR, LRC, SLOTS - 1, 'own');
    // The search finds what is free, and the payments go on from there.
    expect((await pay()).taken).toBe(SLOTS - 3);
    expect((await pay()).taken).toBe(SLOTS + 1);
    const { taken, rows } = await pay();
    expect(taken).toBe(SLOTS + 3);
    expect(rows).toBeLessThan(20);
  });
});
