import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { archiveOld } from '../../src/relayer/archive/archive.ts';
import { archiveFolder } from '../../src/relayer/archive/archiveFolder.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { auditDatabase } from './support/audit.ts';
import { builtRelayer } from './support/builtRelayer.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { until } from './support/operated.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startOnPostgres, startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const folder = mkdtempSync(join(tmpdir(), 'countersign-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rowsIn = (name: string, kind: string): Record<string, unknown>[] =>
  readdirSync(join(folder, name))
    .filter((file) => file.startsWith(kind))
    .flatMap((file) =>
      gunzipSync(readFileSync(join(folder, name, file)))
        .toString('utf8')
        .trim()
        .split('\n'),
    )
    .map((line) => JSON.parse(line));

describe.each(databases)('the archive on $name', ({ name, start }) => {
  let test: TestRelayer;
  let maker: TestAccount;
  let taker: TestAccount;
  const hashes: Record<string, string> = {};
  const bytes: Record<string, object> = {};
  /** As the relayer describes them before they are archived. */
  const described: Record<string, object> = {};
  beforeAll(async () => {
    test = await start();
    [maker, taker] = [await test.account(), await test.account()];
    const short = { validUntil: await maker.inSeconds(3_600) };
    const long = { validUntil: await maker.inSeconds(400 * 86_400) };
    const place = async (label: string, account: TestAccount, order: object) => {
      const reply = await account.submit(order);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      hashes[label] = reply.body.hash;
      bytes[label] = order;
    };
    const sell = (lrc: bigint, changes: Record<string, unknown>) =>
      maker.order([LRC, lrc * ether], [ETH, (lrc * ether) / 1_000n], changes);
    const buy = (lrc: bigint, changes: Record<string, unknown>) =>
      taker.order([ETH, (lrc * ether) / 1_000n], [LRC, lrc * ether], { tradeChannel: 'ORDER_BOOK', ...changes });
    const book = { tradeChannel: 'ORDER_BOOK' };
    await place('filled', maker, await sell(100n, { ...book, ...short }));
    await place('taking', taker, await buy(100n, short));
    await test.block();
    // Half filled and open for a year: it keeps what it traded with.
    await place('open', maker, await sell(200n, { ...book, ...long }));
    await place('half', taker, await buy(100n, short));
    await test.block();
    await place('cancelled', maker, await maker.order([LRC, 100n * ether], [ETH, ether], { ...book, ...short }));
    await maker.cancel({ orderHash: hashes.cancelled as string });
    // Cancelled, and valid for as long as an order can be.
    const endless = { ...book, validUntil: 4_294_967_295 };
    await place('endless', maker, await maker.order([LRC, 100n * ether], [ETH, 2n * ether], endless));
    await maker.cancel({ orderHash: hashes.endless as string });
    await test.block();
    described.endless = await maker.orderOf(hashes.endless as string);
    // Confirmed and finalized.
    for (let round = 0; round < 2; round++) {
      await test.advance(HOUR / 2);
      await test.block();
    }
    described.filled = await maker.orderOf(hashes.filled as string);
    described.taking = await taker.orderOf(hashes.taking as string);
    await test.advance(100 * DAY);
    await test.block();
    await place('new', taker, await buy(10n, { orderType: 'TAKER_ONLY', validUntil: await taker.inSeconds(3_600) }));
    await test.block();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const now = async () => (await openClock(test.relayer.db)).now();
  const kept = async () => {
    const rows = await test.relayer.db.query<{ hash: string }>('SELECT hash FROM orders');
    return Object.keys(hashes).filter((label) => rows.some(({ hash }) => hash === hashes[label]));
  };

  it('loses nothing when a run is ended before its rows are removed', async () => {
    const before = await kept();
    const ending = {
      mark: () => () => {},
      write: () => {
        throw new Error('the disk is full');
      },
    };
    await expect(archiveOld(test.relayer.db, (await now()) - 90 * DAY, ending)).rejects.toThrow('the disk is full');
    expect(await kept()).toEqual(before);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('takes orders that ended and can never be sent again, with their fills, and the contents of old blocks', async () => {
    const balances = await test.relayer.db.query('SELECT * FROM balances ORDER BY account_id, token_id');
    const candles = await test.relayer.db.query('SELECT * FROM candles ORDER BY market, interval_ms, open_at, pool');
    const files = archiveFolder(join(folder, name), new Date());
    const { db } = test.relayer;
    // Every transaction fails once after its work, as one that another transaction was in the way
    // of, and is repeated.
    const repeating: Db = {
      ...db,
      transaction: (work, patience) => {
        let failed = false;
        return db.transaction(async (tx) => {
          const result = await work(tx);
          if (!failed) {
            failed = true;
            throw Object.assign(new Error('could not serialize access'), { code: '40001' });
          }
          return result;
        }, patience);
      },
    };
    const moved = await archiveOld(repeating, (await now()) - 90 * DAY, files);
    files.close();
    expect(await kept()).toEqual(['open', 'half', 'new']);
    expect(moved).toMatchObject({ orders: 4, fills: 1 });
    expect(moved.blocks).toBeGreaterThan(2);
    const orders = rowsIn(name, 'orders');
    expect(orders.map(({ hash }) => hash).sort()).toEqual(
      [hashes.filled, hashes.taking, hashes.cancelled, hashes.endless].sort(),
    );
    expect(orders.find(({ hash }) => hash === hashes.filled)).toMatchObject({
      amount_s: String(100n * ether),
      status: 'processed',
    });
    expect(rowsIn(name, 'fills')).toMatchObject([{ taker_hash: hashes.taking, maker_hash: hashes.filled }]);
    const blocks = rowsIn(name, 'blocks');
    expect(blocks).toHaveLength(moved.blocks);
    for (const { size, transactions } of blocks) expect(transactions).toHaveLength(size as number);
    // The published bytes stay in the database.
    expect(blocks.filter((block) => 'data' in block || !block.root_after)).toEqual([]);
    for (const file of readdirSync(join(folder, name))) expect(statSync(join(folder, name, file)).mode & 0o077).toBe(0);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    expect(await test.relayer.db.query('SELECT * FROM balances ORDER BY account_id, token_id')).toEqual(balances);
    expect(await test.relayer.db.query('SELECT * FROM candles ORDER BY market, interval_ms, open_at, pool')).toEqual(
      candles,
    );
  });

  it('moves nothing twice, and leaves a relayer that trades, refuses archived orders, and says what is archived', async () => {
    const again = archiveFolder(join(folder, `${name}-again`), new Date());
    expect(await archiveOld(test.relayer.db, (await now()) - 90 * DAY, again)).toEqual({
      orders: 0,
      fills: 0,
      blocks: 0,
    });
    expect(readdirSync(join(folder, `${name}-again`))).toEqual([]);
    for (const label of ['filled', 'cancelled']) {
      const reply = await maker.submit(bytes[label]);
      expect(reply.body.resultInfo).toMatchObject({ code: 102008 });
    }
    // Not found would mean to their wallets that nothing came of them, or that they may still come.
    for (const [label, account] of [
      ['filled', maker],
      ['taking', taker],
      ['endless', maker],
    ] as const)
      expect(await account.orderOf(hashes[label] as string)).toEqual(described[label]);
    expect((await taker.get('/api/v3/order', { orderHash: hashes.filled as string })).body.resultInfo.code).toBe(
      107003,
    );
    // Nothing came of this one.
    expect((await maker.get('/api/v3/order', { orderHash: hashes.cancelled as string })).body.resultInfo.code).toBe(
      107003,
    );
    const before = await maker.balance(LRC);
    expect((await maker.submit(bytes.endless)).body.resultInfo).toMatchObject({
      code: relayerErrors.ORDER_EXISTS.code,
    });
    expect(await maker.balance(LRC)).toEqual(before);
    const block = await maker.get('/api/v3/block/getBlock', { id: 1 });
    expect(block.body.resultInfo.message).toBe('id: the transactions of block 1 are archived');
    const slot = await maker.order([LRC, 100n * ether], [ETH, ether], { validUntil: await maker.inSeconds(3_600) });
    expect((await maker.submit(slot)).status).toBe(200);
    // The slot of an archived order is taken by a larger id as that of any other.
    const { storageId } = bytes.filled as { storageId: number };
    const next = { validUntil: await maker.inSeconds(3_600), storageId: storageId + 16_384 };
    expect((await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether], next))).status).toBe(200);
    const used = { validUntil: await maker.inSeconds(3_600), storageId };
    const late = await maker.submit(await maker.order([LRC, 100n * ether], [ETH, ether], used));
    expect(late.body.resultInfo).toMatchObject({ code: relayerErrors.NONCE_INVALID.code });
    await test.block();
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });
});

it('the archive leaves an order that the engine has not taken out of its book', async () => {
  const test = await startRelayer();
  try {
    const account = await test.account();
    const { body } = await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]));
    await test.block();
    await account.cancel({ orderHash: body.hash });
    await test.advance(100 * DAY);
    const archive = async () =>
      archiveOld(test.relayer.db, (await openClock(test.relayer.db)).now() - 90 * DAY, {
        mark: () => () => {},
        write: () => {},
      });
    expect(await archive()).toMatchObject({ orders: 0 });
    await test.block();
    expect(await archive()).toMatchObject({ orders: 1 });
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  } finally {
    await test.close();
  }
});

it('the archive leaves no NFT order that could be accepted or traded again', async () => {
  const test = await startRelayer();
  try {
    const [seller, buyer] = [await test.account(), await test.account()];
    const { body: mint } = await seller.post('/api/v3/nft/mint', await seller.mint(`0x${'a7'.repeat(32)}`, 10n));
    await test.block();
    const two = { tokenId: mint.nftTokenId, nftData: mint.nftData, amount: '2' };
    const price = { tokenId: ETH, amount: String(ether / 10n) };
    const endless = { validUntil: 4_294_967_295 };
    const sale = () => seller.nftOrder(two, price, endless);
    const purchase = () => buyer.nftOrder(price, two, { fillAmountBOrS: true, ...endless });
    type Order = Awaited<ReturnType<typeof sale>>;
    const trade = (maker: Order, taker: Order) =>
      buyer.signed('POST', '/api/v3/nft/trade', { body: { maker, makerFeeBips: 50, taker, takerFeeBips: 50 } });
    const validate = (order: Order) => seller.post('/api/v3/nft/validateOrder', order);
    const cancelled = await sale();
    const { body } = await validate(cancelled);
    await seller.cancel({ orderHash: body.hash });
    const traded = await sale();
    expect(await validate(traded)).toMatchObject({ status: 200 });
    expect(await trade(traded, await purchase())).toMatchObject({ status: 200 });
    await test.block();
    await test.advance(100 * DAY);
    await test.block();
    const before = (await openClock(test.relayer.db)).now() - 90 * DAY;
    expect(await archiveOld(test.relayer.db, before, { mark: () => () => {}, write: () => {} })).toMatchObject({
      orders: 3,
    });
    const held = await seller.get('/api/v3/user/nft/balances');
    for (const order of [cancelled, traded]) {
      expect((await validate(order)).body.resultInfo).toMatchObject({ code: relayerErrors.NONCE_INVALID.code });
      expect((await trade(order, await purchase())).body.resultInfo).toMatchObject({
        code: relayerErrors.NONCE_INVALID.code,
      });
    }
    expect((await seller.get('/api/v3/user/nft/balances')).body).toEqual(held.body);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  } finally {
    await test.close();
  }
});

it(
  'the archive waits for nobody who has locked an account',
  async () => {
    const test = await startOnPostgres();
    try {
      const account = await test.account();
      const { body } = await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]));
      await test.block();
      const taker = await test.account();
      await taker.submit(await taker.order([ETH, ether], [LRC, 100n * ether]));
      await test.block();
      expect((await account.orderOf(body.hash)).status).toBe('processed');
      await test.advance(100 * DAY);
      await test.block();
      const before = (await openClock(test.relayer.db)).now() - 90 * DAY;
      const moved = await holding(test.relayer.db, 'SELECT FROM accounts FOR UPDATE', () =>
        archiveOld(test.relayer.db, before, { mark: () => () => {}, write: () => {} }),
      );
      expect(moved).toMatchObject({ orders: 2, fills: 1 });
    } finally {
      await test.close();
    }
  },
  START_TIMEOUT_MS,
);

/** A run's sink that keeps what it is given. */
const remembering = () => {
  const blocks: Record<string, unknown>[] = [];
  return {
    blocks,
    mark: () => () => {},
    write: (kind: string, rows: readonly object[]) => {
      if (kind === 'blocks') blocks.push(...(rows as typeof blocks));
    },
  };
};

it('the archive leaves the newest final block, and a block is answered whole or not at all', async () => {
  const test = await startRelayer();
  try {
    const account = await test.account();
    for (let round = 0; round < 5; round++) {
      await test.block();
      await test.advance(HOUR);
    }
    await test.advance(100 * DAY);
    const getBlock = async (query: Record<string, string>) =>
      (await account.get('/api/v3/block/getBlock', query)).body as Record<string, unknown>;
    const newest = await getBlock({});
    expect(newest).toMatchObject({ status: 'finalized', blockSize: expect.any(Number) });
    expect(newest.blockSize).toBeGreaterThan(0);
    await archiveOld(test.relayer.db, (await openClock(test.relayer.db)).now() - 90 * DAY, remembering());
    for (const query of [{}, { id: 'finalized' }, { id: 'confirmed' }] as Record<string, string>[])
      expect(await getBlock(query)).toEqual(newest);
    // As a read finds it that began before the archive took them.
    const blockId = Number(newest.blockId);
    await test.relayer.db.query('DELETE FROM block_transactions WHERE block_id = $1', [blockId]);
    expect(await getBlock({})).toMatchObject({
      resultInfo: { message: `id: the transactions of block ${blockId} are archived` },
    });
  } finally {
    await test.close();
  }
});

it('the archive writes few large blocks at a time, and each block whole', async () => {
  const test = await startRelayer();
  try {
    for (let round = 0; round < 7; round++) {
      await test.account();
      await test.block();
      await test.advance(HOUR);
    }
    await test.advance(100 * DAY);
    const { db } = test.relayer;
    await db.query(`UPDATE blocks SET size = 3000 WHERE status = 'finalized' AND size > 0`);
    const groups: number[] = [];
    const written = { ...remembering(), write: (_kind: string, rows: readonly object[]) => groups.push(rows.length) };
    const { blocks } = await archiveOld(db, (await openClock(db)).now() - 90 * DAY, written);
    expect(blocks).toBeGreaterThan(2);
    expect(Math.max(...groups)).toBe(2);
  } finally {
    await test.close();
  }
});

it(
  'two runs of the archive at the same time take each block once',
  async () => {
    const test = await startOnPostgres();
    try {
      for (let round = 0; round < 5; round++) {
        await test.account();
        await test.block();
        await test.advance(HOUR);
      }
      await test.advance(100 * DAY);
      const { db } = test.relayer;
      const before = (await openClock(db)).now() - 90 * DAY;
      const [one, other] = [remembering(), remembering()];
      let second: Promise<unknown> | undefined;
      const waiting = async () => {
        const rows = await db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      };
      const slow: Db = {
        ...db,
        transaction: (work, patience) =>
          db.transaction(async (tx) => {
            const result = await work(tx);
            if (one.blocks.length > 0 && !second) {
              await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
              second = archiveOld(db, before, other);
              await until('the second run waits', waiting);
            }
            return result;
          }, patience),
      };
      await archiveOld(slow, before, one);
      await second;
      expect(one.blocks.length).toBeGreaterThan(0);
      for (const { size, transactions } of [...one.blocks, ...other.blocks])
        expect(transactions).toHaveLength(size as number);
    } finally {
      await test.close();
    }
  },
  START_TIMEOUT_MS,
);

describe('the command archive', () => {
  it('runs beside a relayer, and refuses what it cannot do', async () => {
    const database = await createDatabase();
    const test = await startRelayer({ databaseUrl: database.url });
    const main = await builtRelayer();
    const archive = (...flags: string[]) =>
      execFileSync(
        process.execPath,
        [main, 'archive', '--dev', '--dev-on-postgres', '--log-level', 'silent', ...flags],
        { cwd: root, env: { ...process.env, DATABASE_URL: database.url }, stdio: 'pipe', encoding: 'utf8' },
      );
    try {
      const account = await test.account();
      await account.submit(await account.order([LRC, 100n * ether], [ETH, ether]));
      await test.block();
      await test.account();
      await test.block();
      for (const days of [1, 1, 40]) {
        await test.advance(days * DAY);
        await test.block();
      }
      const to = join(folder, 'command');
      expect(archive('--to', to, '--older-than-days', '30')).toBe(
        'archived 1 orders, 0 fills and the transactions of 1 blocks\n',
      );
      expect(rowsIn('command', 'orders')).toMatchObject([{ status: 'expired' }]);
      expect(() => archive('--to', to)).toThrow('archive needs --to, a folder, and --older-than-days');
      expect(() => archive('--to', to, '--older-than-days', '0')).toThrow('an integer from 1 on');
    } finally {
      await test.close();
      await database.drop();
    }
  });
});
