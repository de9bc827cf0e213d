import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, migrations } from '../../src/relayer/db/migrate.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { until } from './support/operated.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

describe('a newer version that changes tables while this one runs', () => {
  let test: TestRelayer;
  let people: readonly [TestAccount, TestAccount];
  beforeAll(async () => {
    test = await startOnPostgres({ engine: 'timer', engineIntervalMs: 20 });
    people = [await test.account(), await test.account()];
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  /** Everything that an account does, on both connections and in the engine. */
  const trade = async (first: number) => {
    const [maker, taker] = people;
    const book = { tradeChannel: 'ORDER_BOOK' };
    const answers = [
      await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether / 10n], { ...book, storageId: 2 * first })),
      await taker.submit(await taker.order([ETH, ether / 10n], [LRC, 100n * ether], { ...book, storageId: 2 * first })),
      await maker.post(
        '/api/v3/transfer',
        await maker.transfer(taker.owner, [LRC, ether], { storageId: 2 * first + 1 }),
      ),
    ];
    expect(answers.map(({ status, body }) => (status === 200 ? status : JSON.stringify(body)))).toEqual([
      200, 200, 200,
    ]);
    for (let round = 0; round < 5; round++) await test.block();
    const reads = [
      await maker.get('/api/v3/orders', {}),
      await maker.get('/api/v3/user/transfers', {}),
      await test.call('GET', '/api/v3/depth', { query: { market: 'LRC-ETH', level: 2 } }),
    ];
    expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [row] = await test.relayer.db.query<{ failed: number; open: number }>(
      `SELECT (SELECT count(*) FROM requests WHERE status = 'failed') + (SELECT count(*) FROM orders WHERE status = 'failed') AS failed,
              (SELECT count(*) FROM orders WHERE status = 'processing') + (SELECT count(*) FROM requests WHERE status = 'received') AS open`,
    );
    expect(row).toEqual({ failed: 0, open: 0 });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  };

  it('fails no order and no request of a process that goes on', async () => {
    // All connections have prepared what they use.
    for (let round = 0; round < 3; round++) await trade(2 * round);
    const tables = [
      'accounts',
      'orders',
      'requests',
      'balances',
      'blocks',
      'fills',
      'markets',
      'tokens',
      'amm_pools',
      'books',
      'book_levels',
    ];
    for (const table of tables) await test.relayer.db.script(`ALTER TABLE ${table} ADD COLUMN of_tomorrow text`);
    for (let round = 3; round < 8; round++) await trade(2 * round);
  });

  it('shows each offer once in a process of a version before coarse levels', async () => {
    const [maker] = people;
    const book = { tradeChannel: 'ORDER_BOOK', storageId: 80 };
    const { body } = await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether], book));
    await test.block();
    // What such a process reads.
    const offers = () =>
      test.relayer.db.query(
        `SELECT tick AS slot, sum(size) AS size, sum(orders)::bigint AS orders
         FROM book_levels WHERE market = 'LRC-ETH' AND side = 'SELL' AND size > 0 GROUP BY slot ORDER BY slot`,
      );
    expect(await offers()).toEqual([{ slot: 1_000_000n, size: 100n * ether, orders: 1 }]);
    await maker.cancel({ orderHash: body.hash });
    await test.block();
    expect(await offers()).toEqual([]);
  });

  it('matches nothing and settles nothing in a process that does not know the tables any more, and makes it not ready', async () => {
    const [maker, taker] = people;
    const { db } = test.relayer;
    expect((await test.call('GET', '/ready')).status).toBe(200);
    const mint = await maker.post('/api/v3/nft/mint', await maker.mint(`0x${'e2'.repeat(32)}`, 10n, { storageId: 99 }));
    await test.block();
    const count = { tokenId: mint.body.nftTokenId, nftData: mint.body.nftData, amount: '1' };
    const price = { tokenId: ETH, amount: String(ether / 100n) };
    const nftTrade = {
      ...{ maker: await maker.nftOrder(count, price, { storageId: 200 }), makerFeeBips: 60, takerFeeBips: 50 },
      taker: await taker.nftOrder(price, count, { fillAmountBOrS: true, storageId: 200 }),
    };
    const sql = `ALTER TABLE fills ADD COLUMN demanded text;
      UPDATE fills SET demanded = side;
      ALTER TABLE fills ALTER COLUMN demanded SET NOT NULL`;
    await migrate(db, [...migrations, { name: '9999Tomorrow', sql }]);
    const book = { tradeChannel: 'ORDER_BOOK', storageId: 100 };
    const hashes = [
      await maker.placed([LRC, 100n * ether], [ETH, ether / 10n], book),
      await taker.placed([ETH, ether / 10n], [LRC, 100n * ether], book),
    ];
    await maker.post('/api/v3/transfer', await maker.transfer(taker.owner, [LRC, ether], { storageId: 101 }));
    for (let round = 0; round < 5; round++) await test.block();
    const open = await db.query('SELECT status FROM orders WHERE hash = ANY($1::text[])', [hashes]);
    expect(open).toEqual(Array(2).fill({ status: 'processing' }));
    const [waiting] = await db.query(`SELECT count(*) AS n FROM requests WHERE status = 'received'`);
    expect(waiting).toEqual({ n: 1 });
    const written = () => db.query('SELECT count(*) AS n FROM block_transactions');
    const before = await written();
    expect(await taker.signed('POST', '/api/v3/nft/trade', { body: nftTrade })).toMatchObject({
      status: 503,
      body: { resultInfo: { message: expect.stringContaining('a newer version') } },
    });
    expect(await written()).toEqual(before);
    const { body } = await until('it is not ready', async () => {
      const reply = await test.call('GET', '/ready');
      return reply.status === 503 && reply;
    });
    expect(body.problems.database).toContain('a newer version changed it');
  });
});
