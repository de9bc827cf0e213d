import { afterAll, beforeAll, expect, it } from 'vitest';
import { Book } from '../../src/relayer/engine/orders/book.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { START_TIMEOUT_MS, startOnPostgres } from './support/databases.ts';
import { until } from './support/operated.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { ether } from './support/validCalls.ts';

const ETH = 0;
const LRC = 1;

let test: TestRelayer;
beforeAll(async () => {
  test = await startOnPostgres({ engine: 'timer', engineIntervalMs: 20, blockAgeMs: 100 });
}, START_TIMEOUT_MS);
afterAll(() => test.close());

it(
  'an order whose time is over before it expires is not taken up',
  async () => {
    const { db } = test.relayer;
    const account = await test.account();
    const order = await account.order([LRC, 100n * ether], [ETH, 10n * ether]);
    const { hash } = (await account.submit(order)).body;
    const [row] = await db.query<OrderRow>('SELECT * FROM orders WHERE hash = $1', [hash]);
    const takenUpAt = (seconds: number) =>
      db.transaction(async (tx) => {
        const at = { clock: { now: () => seconds * 1000 } } as Relayer;
        return (await Book.load(at, tx, row ? [row] : [])).due.map((due) => due.hash);
      });
    const end = Number(row?.valid_until);
    expect(await takenUpAt(end - 1)).toEqual([hash]);
    expect(await takenUpAt(end)).toEqual([]);
  },
  START_TIMEOUT_MS,
);

it(
  'an engine that never runs out of orders seals blocks and expires orders',
  async () => {
    const { db } = test.relayer;
    const account = await test.account();
    // Whatever puts this order into the book finds it new again: each look of the engine has work.
    await db.query(`CREATE FUNCTION stay_new() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN NEW.resting := false; RETURN NEW; END $$`);
    await db.query(`CREATE TRIGGER stay_new BEFORE UPDATE ON orders
      FOR EACH ROW WHEN (OLD.client_order_id = 'ever new') EXECUTE FUNCTION stay_new()`);
    const place = async (changes: object) =>
      (await account.submit(await account.order([LRC, 100n * ether], [ETH, 10n * ether], { ...changes }))).body.hash;
    await place({ clientOrderId: 'ever new' });
    const ending = await place({});
    await account.post('/api/v3/transfer', await account.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
    // A step of the clock would wait for the engine.
    await db.query('UPDATE orders SET valid_until = 1 WHERE hash = $1', [ending]);
    await until('the order expires and the block of the transfer is sealed', async () => {
      const [row] = await db.query(
        `SELECT 1 FROM orders, requests WHERE orders.hash = $1 AND orders.status = 'expired'
           AND requests.kind = 'transfer' AND requests.status = 'processed'`,
        [ending],
      );
      return row !== undefined;
    });
  },
  START_TIMEOUT_MS,
);
