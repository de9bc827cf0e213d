import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Sql, SqlValue } from '../../src/relayer/db/port.ts';
import { type Catalog, loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { dueWorkQuery } from '../../src/relayer/engine/dueWork.ts';
import { requestPage } from '../../src/relayer/engine/history/requestHistory.ts';
import { restingOrdersReachedBy } from '../../src/relayer/engine/orders/matchOrder.ts';
import { getNftTrades } from '../../src/relayer/routes/getNftTrades.ts';
import { getOrders } from '../../src/relayer/routes/getOrders.ts';
import { getUserTrades } from '../../src/relayer/routes/getUserTrades.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { rowsReadPlanned } from './support/rowsRead.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

/** Much more than a read may take in, and than a page. */
const MANY = 3_000;
const OPEN = 3;
const LIMIT = 20;
const POOL = `0x${'b0'.repeat(20)}` as const;
const plans = ['custom', 'generic'] as const;

describe.each(databases)('what is read on $name', ({ start }) => {
  let test: TestRelayer;
  let busy: TestAccount;
  let others: string;
  let catalog: Catalog;
  beforeAll(async () => {
    test = await start();
    const { db } = test.relayer;
    busy = await test.account();
    const taker = await test.account();
    await busy.submit(await busy.order([ETH, ether / 100n], [LRC, 100n * ether]));
    await test.block();
    await taker.submit(await taker.order([LRC, 100n * ether], [ETH, ether / 100n]));
    await test.block();
    catalog = await loadCatalog(db);
    await db.query(
      `INSERT INTO accounts (account_id, owner, created_at) SELECT 50000 + n, 'other' || n, 0
       FROM generate_series(0, 99) AS n`,
    );
    others = '50000 + n % 100';
    // The account was busy, and others have been since.
    const mine = { account_id: busy.accountId };
    const theirs = { account_id: others };
    const order = { client_order_id: `''`, filled_s: 0, filled_b: 0, resting: 'true', locked: 0 };
    const open = { ...order, status: `'processing'` };
    await copy('orders', OPEN, { ...open, ...mine, hash: `'open' || n` });
    await copy('orders', MANY, { ...order, ...mine, hash: `'old' || n`, status: `'cancelled'` });
    await copy('orders', MANY, { ...open, ...theirs, hash: `'others' || n` });
    await copy('orders', 3 * MANY, { ...order, ...theirs, hash: `'theirs' || n`, status: `'cancelled'` });
    for (const side of ['BUY', 'SELL'])
      await copy('orders', MANY, {
        ...{ ...open, ...theirs, hash: `'${side}' || n`, side: `'${side}'`, pool_address: `'${POOL}'` },
        order_type: `'LIMIT_ORDER'`,
      });
    const transfer = { kind: `'transfer'`, other_account_id: 1 };
    await copy('requests', MANY, { ...transfer, ...mine, hash: `'mine' || n` });
    await copy('requests', MANY, {
      ...transfer,
      account_id: others,
      other_account_id: busy.accountId,
      hash: `'to' || n`,
    });
    await copy('requests', 1, { ...transfer, ...mine, other_account_id: busy.accountId, hash: `'self'` });
    await copy('requests', 2 * MANY, { ...transfer, ...theirs, hash: `'theirs' || n` });
    for (const [taker, maker] of [
      [busy.accountId, others],
      [others, busy.accountId],
      [others, others],
    ])
      await copy('fills', MANY, { taker_account_id: `${taker}`, maker_account_id: `${maker}` });
    for (const [seller, buyer] of [
      [busy.accountId, others],
      [others, busy.accountId],
      [others, others],
    ])
      await db.query(
        `INSERT INTO nft_trades (trade_hash, seller_hash, buyer_hash, seller_is_maker, seller_id, buyer_id, seller_slot,
           buyer_slot, seller_storage_id, buyer_storage_id, nft_data, amount, token_id, volume, seller_fee, buyer_fee,
           royalty, submitter_id, block_id, index_in_block, created_at)
         SELECT '${seller} ${buyer} ' || n, '', '', false, ${seller}, ${buyer}, 0, 0, 0, 0, '', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0
         FROM generate_series(1, ${MANY}) AS n`,
      );
    await test.relayer.db.script('ANALYZE');
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  /** Rows like the first of a table, with other values in some columns; `n` is their number. */
  const copy = async (table: string, count: number, columns: Record<string, SqlValue>) => {
    const { db } = test.relayer;
    const [sample] = await db.query(`SELECT * FROM ${table} LIMIT 1`);
    const names = Object.keys(sample ?? {}).filter((name) => !['seq', 'id'].includes(name));
    await db.query(
      `INSERT INTO ${table} (${names}) SELECT ${names.map((name) => columns[name] ?? name)}
       FROM (SELECT * FROM ${table} LIMIT 1) AS sample, generate_series(1, ${count}) AS n`,
    );
  };

  /** Rows that each statement on a table reads. */
  const rowsOf = async (plan: (typeof plans)[number], table: string, read: (sql: Sql) => Promise<unknown>) => {
    const rows: number[] = [];
    await read({
      async query(text, values) {
        if (text.includes(` ${table} `)) rows.push(await rowsReadPlanned(test.relayer.db, plan, text, values));
        return test.relayer.db.query(text, values);
      },
    });
    return rows;
  };
  const on = (sql: Sql) => ({ catalog, historiesOf: (_: number, read: (sql: Sql) => unknown) => read(sql) }) as never;
  const call = (sql: Sql, query: object) =>
    ({ relayer: on(sql), query, account: { accountId: busy.accountId } }) as never;

  describe.each(plans)('by a %s plan', (plan) => {
    it.each([
      ['processing', OPEN],
      ['processing,waiting,cancelling', OPEN],
      ['waiting', 0],
    ])('for orders that are %s is the open ones, however many the account ever had', async (status, found) => {
      const rows = await rowsOf(plan, 'orders', async (sql) => {
        expect(await getOrders.handle(call(sql, { status, limit: LIMIT }))).toMatchObject({ totalNum: found });
      });
      expect(rows).toHaveLength(2);
      for (const read of rows) expect(read).toBeLessThanOrEqual(OPEN);
    });

    it.each([
      ['orders', 1, (sql: Sql) => getOrders.handle(call(sql, { limit: LIMIT }))],
      ['requests', 2, (sql: Sql) => requestPage(on(sql), busy.accountId, ['transfer'], { limit: LIMIT }, [])],
      ['nft_trades', 2, (sql: Sql) => getNftTrades.handle(call(sql, { limit: LIMIT }))],
      // Each fill with its order.
      ['fills', 4, (sql: Sql) => getUserTrades.handle(call(sql, { limit: LIMIT }))],
    ])('for a page of %s is a page of each side, whatever others did since', async (table, sides, read) => {
      const [, rows] = await rowsOf(plan, table, read);
      expect(rows).toBeLessThanOrEqual(sides * (LIMIT + 1));
    });

    it('for the first order that a pool may fill is that order, however many have its price', async () => {
      const [pool] = catalog.pools;
      if (!pool) throw new Error('there is no pool');
      const rows = await rowsOf(plan, 'orders', (sql) => {
        const first: Sql = { query: async (text, values) => (await sql.query(text, values)) && [] };
        return restingOrdersReachedBy(first, { ...pool, address: POOL });
      });
      expect(rows).toHaveLength(2);
      // The order, and its market.
      for (const read of rows) expect(read).toBeLessThanOrEqual(1 + catalog.markets.length);
      const due = await rowsReadPlanned(test.relayer.db, plan, dueWorkQuery('time'), [9e9, 9, 9, 9, 9]);
      expect(due).toBeLessThanOrEqual(50);
    });
  });

  it('of requests to oneself is each once', async () => {
    const { totalNum, rows } = await requestPage(on(test.relayer.db), busy.accountId, ['transfer'], { limit: 50 }, []);
    expect(rows.filter(({ hash }) => String(hash) === 'self')).toHaveLength(1);
    expect(totalNum).toBe(2 * MANY + 1);
  });

  it('to tell whether the process is ready is no order that was deleted', async () => {
    const { db } = test.relayer;
    const { transaction } = db;
    const texts: string[] = [];
    const noting = (tx: Sql): Sql => ({
      query: (text, values) => {
        texts.push(text);
        return tx.query(text, values);
      },
    });
    const noted = vi.spyOn(db, 'transaction').mockImplementation((run) => transaction((tx) => run(noting(tx))));
    onTestFinished(() => noted.mockRestore());
    expect((await test.call('GET', '/ready')).status).toBe(200);
    const text = texts.find((one) => one.includes('countersign readiness')) ?? '';
    const blocksRead = async () => {
      const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      );
      return row?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'];
    };
    await db.query('DELETE FROM fills');
    await db.query('DELETE FROM orders WHERE seq < (SELECT max(seq) FROM orders)');
    // The first read of the deleted rows marks them.
    await blocksRead();
    expect(await blocksRead()).toBeLessThan(50);
  });
});
