import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZERO_ADDRESS } from '../../src/protocol/limits.ts';
import type { Sql } from '../../src/relayer/db/port.ts';
import { loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { Book } from '../../src/relayer/engine/orders/book.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import { restOrders } from '../../src/relayer/engine/orders/restOrders.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { startOnPostgres } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const milli = ether / 1000n;
/** More than a market's best orders that are read at once. */
const NAMED = 1_500;

/** Rows of orders that this transaction has read, whatever the plans of its statements were. */
const rowsRead = async (tx: Sql): Promise<number> => {
  const [row] = await tx.query<{ n: number }>(
    `SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_xact_user_tables WHERE relname = 'orders'`,
  );
  return row?.n ?? Number.NaN;
};

describe('orders for one named taker', () => {
  let test: TestRelayer;
  let maker: TestAccount;
  let named: TestAccount;
  let other: TestAccount;
  beforeAll(async () => {
    test = await startOnPostgres();
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
    orderType = 'LIMIT_ORDER',
  ): Promise<
    () => Promise<{ hash: string; status: string; volumes: Record<'baseFilled' | 'quoteFilled', string> }>
  > => {
    const order = await account.order(sold, bought, {
      validUntil: await account.inSeconds(3600),
      ...(sold[0] === ETH && { fillAmountBOrS: true }),
      ...(taker && { taker: taker.owner }),
      orderType,
    });
    const { status, body } = await account.submit(order);
    expect([status, body.resultInfo?.message]).toEqual([200, undefined]);
    return async () => (await account.get('/api/v3/order', { orderHash: body.hash })).body;
  };

  let made = 0;
  /** Orders like one that rests, at a share of its price. */
  const restLike = async (hash: string, count: number, taker: string, share: string) => {
    await test.relayer.db.query(
      `INSERT INTO orders (hash, account_id, owner, storage_id, token_s, token_b, amount_s, amount_b, fill_by_b,
         valid_until, max_fee_bips, maker_bips, taker_bips, taker, order_type, channel, pool_address, client_order_id,
         affiliate, market, side, price, locked, status, resting, digest, created_at, updated_at)
       SELECT '0xd' || lpad(to_hex($3 + n), 63, '0'), account_id, owner, 0, token_s, token_b, amount_s, amount_b,
         fill_by_b, valid_until, max_fee_bips, maker_bips, taker_bips, $2, order_type, channel, pool_address, '',
         affiliate, market, side, div(price * $4::numeric, 1), 0, 'processing', true, '', created_at, updated_at
       FROM orders, generate_series(1::int, $5::int) AS n WHERE hash = $1`,
      [hash, taker, made, share, count],
    );
    made += count;
  };
  const forget = () => test.relayer.db.query("DELETE FROM orders WHERE hash LIKE '0xd000%'");

  it.each([0, NAMED])('end no order that takes nothing, with %i of them before it', async (before) => {
    const hidden = await sell(maker, 10n, named);
    await test.block();
    const { hash } = await hidden();
    await restLike(hash, before, named.owner, '0.9');
    const quote = await place(named, [ETH, 20n * 11n * milli], [LRC, 20n * ether], undefined, 'MAKER_ONLY');
    await test.block();
    expect(await quote()).toMatchObject({ status: 'processing' });
    expect(await hidden()).toMatchObject({ status: 'processing' });
    await forget();
    await test.advance(3_700_000);
    await test.block();
  });

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

  it('cost nobody else anything, however many there are, at whatever price, for whomever', async () => {
    const { db } = test.relayer;
    await sell(maker, 12n);
    await test.block();
    const [row] = await db.query<OrderRow>(`SELECT * FROM orders WHERE status = 'processing' AND resting`);
    if (!row) throw new Error('the order does not rest');
    const rest = (taker: string, share: string) => restLike(row.hash, NAMED, taker, share);
    const catalog = await loadCatalog(db);
    const relayer = { catalog, clock: { now: () => row.created_at } } as Relayer;
    const now = Math.floor(row.created_at / 1000);
    const newOrders = () =>
      db.query<OrderRow>(`SELECT * FROM orders WHERE status = 'processing' AND NOT resting ORDER BY seq`);
    const due = await (async () => {
      await buy(named, 10n, 11n);
      await buy(other, 10n, 12n);
      await buy(named, 10n, 11n, maker);
      return newOrders();
    })();
    expect(due.map(({ owner }) => owner)).toEqual([named, other, named].map(({ owner }) => owner.toLowerCase()));
    /** What each of the new orders costs, once the server has seen the statements often. */
    const costs = () =>
      db.transaction(async (tx) => {
        await tx.query('SET LOCAL enable_seqscan = off');
        await tx.query('SAVEPOINT before');
        const met: (string | undefined)[] = [];
        const rows: number[] = [];
        const costOf = async (work: () => Promise<unknown>) => {
          const before = await rowsRead(tx);
          await work();
          rows.push((await rowsRead(tx)) - before);
        };
        for (let turn = 0; turn < 7; turn++)
          for (const order of due) await (await Book.load(relayer, tx, [order], now)).bestFor(order, new Set());
        for (const order of due)
          await costOf(async () => {
            met.push((await (await Book.load(relayer, tx, [order], now)).bestFor(order, new Set()))?.hash);
          });
        await costOf(() => restOrders(relayer, tx));
        await tx.query('ROLLBACK TO SAVEPOINT before');
        return { met, rows };
      });
    const alone = await costs();
    expect(alone.met).toEqual([undefined, row.hash, undefined]);
    for (const taker of [`0x${'77'.repeat(20)}`, named.owner.toLowerCase()]) await rest(taker, '2');
    await rest(`0x${'77'.repeat(20)}`, '0.5');
    await db.script('ANALYZE orders');
    const beside = await costs();
    expect(beside.met).toEqual(alone.met);
    for (const [index, rows] of beside.rows.entries()) expect(rows).toBeLessThan((alone.rows[index] as number) + 20);
  });

  it('stand like those of everybody behind a thousand orders of the taker itself, and are all met', async () => {
    await forget();
    await test.advance(3_700_000);
    await test.block();
    const own = await sell(named, 10n);
    const offers = [await sell(maker, 12n), await sell(maker, 12n, named), await sell(maker, 12n)];
    await test.block();
    await restLike((await own()).hash, 999, ZERO_ADDRESS, '1');
    const taker = await buy(named, 60n, 13n);
    await test.block();
    for (const offer of offers) expect((await offer()).status).toBe('processed');
    expect((await taker()).status).toBe('processed');
    expect((await own()).status).toBe('processing');
    await forget();
  });

  it('leave orders of that taker that they do not reach on the quick way into the book', async () => {
    const { db } = test.relayer;
    await test.advance(3_700_000);
    await test.block();
    await forget();
    await sell(maker, 20n, named);
    await buy(maker, 20n, 5n, named);
    await test.block();
    const relayer = { catalog: await loadCatalog(db), clock: { now: Date.now } } as Relayer;
    const rested = async () => {
      await db.transaction((tx) => restOrders(relayer, tx));
      const rows = await db.query<{ resting: boolean }>(
        `SELECT resting FROM orders WHERE status = 'processing' AND account_id = $1 ORDER BY seq`,
        [named.accountId],
      );
      return rows.map(({ resting }) => resting);
    };
    await buy(named, 20n, 19n);
    expect(await rested()).toEqual([true]);
    await sell(named, 25n);
    expect(await rested()).toEqual([true, true]);
    await buy(named, 20n, 20n);
    expect(await rested()).toEqual([true, true, false]);
    await test.block();
    expect(await rested()).toEqual([true, true]);
    // The same when they are as new.
    await test.advance(3_700_000);
    await test.block();
    for (const price of [20n, 18n, 19n]) await sell(maker, price, named);
    for (const price of [5n, 7n, 6n]) await buy(maker, 20n, price, named);
    await buy(named, 20n, 17n);
    await sell(named, 25n);
    expect(await rested()).toEqual([true, true]);
    for (const price of [21n, 22n]) await sell(maker, price, named);
    await buy(named, 20n, 22n);
    expect(await rested()).toEqual([true, true, false]);
  });

  it('are passed by in the order of prices, also behind one that got more than it asked for', async () => {
    await test.advance(3_700_000);
    await test.block();
    await test.relayer.db.query("DELETE FROM orders WHERE hash LIKE '0xd000%'");
    await buy(other, 60n, 20n);
    const eager = await place(maker, [LRC, 100n * ether], [ETH, 1_000n * milli]);
    const later = await place(other, [LRC, 40n * ether], [ETH, 440n * milli]);
    await test.block();
    await buy(named, 20n, 12n);
    await test.block();
    expect((await eager()).volumes.baseFilled).toBe(`${80n * ether}`);
    expect((await later()).volumes.baseFilled).toBe('0');
  });
});
