import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '../../src/relayer/db/port.ts';
import { loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { Book } from '../../src/relayer/engine/orders/book.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import { restOrders } from '../../src/relayer/engine/orders/restOrders.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { rowsReadBy } from './support/rowsRead.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const milli = ether / 1000n;
/** More than a market's best orders that are read at once. */
const NAMED = 1_500;

/** Carries statements out and counts the rows that its reads take from tables. */
function counting(tx: Sql) {
  let rows = 0;
  const sql: Sql = {
    async query(text, values) {
      if (text.trimStart().startsWith('SELECT')) rows += await rowsReadBy(tx, text, values);
      return tx.query(text, values);
    },
  };
  return { sql, rows: () => rows };
}

describe.each(databases)('orders for one named taker on $name', ({ start }) => {
  let test: TestRelayer;
  let maker: TestAccount;
  let named: TestAccount;
  let other: TestAccount;
  beforeAll(async () => {
    test = await start();
    [maker, named, other] = [await test.account(), await test.account(), await test.account()];
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  /** An order of 20 LRC at so many thousandths of ETH a LRC, as it ends after the next block. */
  const sell = (account: TestAccount, price: bigint, taker?: TestAccount) =>
    place(account, [LRC, 20n * ether], [ETH, 20n * price * milli], taker);
  const buy = (account: TestAccount, lrc: bigint, price: bigint, taker?: TestAccount) =>
    place(account, [ETH, lrc * price * milli], [LRC, lrc * ether], taker);
  const place = async (
    account: TestAccount,
    sold: [number, bigint],
    bought: [number, bigint],
    taker?: TestAccount,
  ): Promise<() => Promise<{ status: string; volumes: Record<'baseFilled' | 'quoteFilled', string> }>> => {
    const order = await account.order(sold, bought, {
      validUntil: await account.inSeconds(3600),
      ...(sold[0] === ETH && { fillAmountBOrS: true }),
      ...(taker && { taker: taker.owner }),
    });
    const { status, body } = await account.submit(order);
    expect([status, body.resultInfo?.message]).toEqual([200, undefined]);
    return async () => (await account.get('/api/v3/order', { orderHash: body.hash })).body;
  };

  it.each(['in the book', 'in the same run'])(
    'are met by that one, best price first, when they stand %s',
    async (where) => {
      const cheap = await sell(maker, 10n, named);
      const open = await sell(maker, 12n);
      if (where === 'in the book') await test.block();
      const outsider = await buy(other, 10n, 11n);
      const taker = await buy(named, 30n, 13n);
      await test.block();
      expect((await outsider()).status).toBe('processing');
      expect((await cheap()).status).toBe('processed');
      expect((await open()).volumes.baseFilled).toBe(`${10n * ether}`);
      expect(await taker()).toMatchObject({ status: 'processed', volumes: { quoteFilled: `${320n * milli}` } });
      await test.advance(3_700_000);
      await test.block();
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    },
  );

  it.each(['in the book', 'in the same run'])(
    'meet only those whom they name, however good others are, %s',
    async (where) => {
      const better = await sell(other, 10n);
      const wanted = await sell(maker, 12n);
      const forAnother = await sell(maker, 11n, other);
      if (where === 'in the book') await test.block();
      const taker = await buy(named, 30n, 13n, maker);
      await test.block();
      expect((await better()).status).toBe('processing');
      expect((await forAnother()).status).toBe('processing');
      expect((await wanted()).status).toBe('processed');
      expect(await taker()).toMatchObject({ status: 'processing', volumes: { quoteFilled: `${240n * milli}` } });
      await test.advance(3_700_000);
      await test.block();
      expect(await auditDatabase(test.relayer.db)).toEqual([]);
    },
  );

  it('cost nobody else anything, however many there are and at whatever price', async () => {
    const { db } = test.relayer;
    await sell(maker, 12n);
    await test.block();
    const [row] = await db.query<OrderRow>(`SELECT * FROM orders WHERE status = 'processing' AND resting`);
    expect(row).toBeDefined();
    const insert = (count: number, side: 'SELL' | 'BUY', taker: string, from: number) =>
      db.query(
        `INSERT INTO orders (hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b,
           valid_until, max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id,
           affiliate, market, side, price, locked, status, resting, digest, created_at, updated_at)
         SELECT '0xd' || lpad(to_hex($4 + n), 63, '0'), account_id, owner, 0, token_s, token_b, amount_s, amount_b, fill_by_b,
           valid_until, max_fee_bips, maker_bips, taker_bips, $2, order_type, channel, pool_address, '',
           affiliate, market, $3, price / 2, 0, 'processing', true, '', created_at, updated_at
         FROM orders, generate_series(1::int, $5::int) AS n WHERE hash = $1`,
        [row?.hash ?? '', taker, side, from, count],
      );
    const catalog = await loadCatalog(db);
    const costs = () =>
      db.transaction(async (tx) => {
        await tx.query('SET LOCAL enable_seqscan = off');
        await tx.query('SAVEPOINT before');
        const { sql, rows } = counting(tx);
        const relayer = { catalog, clock: { now: () => Number(row?.created_at) } } as Relayer;
        const due = await tx.query<OrderRow>(`SELECT * FROM orders WHERE status = 'processing' AND NOT resting`);
        expect(due).toHaveLength(2);
        await restOrders(relayer, sql);
        const rested = await tx.query(`SELECT 1 FROM orders WHERE status = 'processing' AND NOT resting`);
        const book = await Book.load(relayer, sql, due);
        const met = [];
        for (const order of book.due) met.push((await book.bestFor(order, new Set()))?.hash);
        await tx.query('ROLLBACK TO SAVEPOINT before');
        return { rows: rows(), left: rested.length, met };
      });
    await buy(named, 10n, 11n);
    await buy(other, 10n, 12n);
    const alone = await costs();
    expect(alone).toMatchObject({ left: 1, met: [row?.hash, row?.hash] });
    await insert(NAMED, 'SELL', `0x${'77'.repeat(20)}`, 0);
    await insert(NAMED, 'SELL', maker.owner, NAMED);
    await db.script('ANALYZE orders');
    const beside = await costs();
    expect(beside).toMatchObject({ left: alone.left, met: alone.met });
    expect(beside.rows).toBeLessThan(alone.rows + 20);
  });
});
