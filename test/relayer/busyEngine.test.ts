import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relayerErrors } from '../../src/protocol/index.ts';
import { MAX_AMOUNT } from '../../src/protocol/limits.ts';
import { lockAccount } from '../../src/relayer/engine/accounts.ts';
import { openClock } from '../../src/relayer/engine/clock.ts';
import { recordDeposit } from '../../src/relayer/engine/deposits.ts';
import { lockEngine } from '../../src/relayer/engine/engineLock.ts';
import { Book } from '../../src/relayer/engine/orders/book.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { atEndOfFile } from '../support/atEndOfFile.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { startLoad } from './support/load.ts';
import { until } from './support/operated.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import { randomSecretKey } from './support/testAccount.ts';
import { ETH, ether, LRC, USDC } from './support/tokens.ts';

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
        const book = await Book.load({} as Relayer, tx, row ? [row] : [], seconds);
        return book.due.map((due) => due.hash);
      });
    const end = Number(row?.valid_until);
    expect(await takenUpAt(end - 1)).toEqual([hash]);
    expect(await takenUpAt(end)).toEqual([]);
  },
  START_TIMEOUT_MS,
);

const price = (amount: bigint) => ({ tokenId: ETH, amount: String(amount) });
const trade = (maker: object, taker: object) => ({ body: { maker, makerFeeBips: 60, taker, takerFeeBips: 50 } });
const TRADE = '/api/v3/nft/trade';

/** An account with ten of an NFT of its own. */
async function nftSeller() {
  const account = await test.account();
  const mint = await account.post('/api/v3/nft/mint', await account.mint(`0x${'e2'.repeat(32)}`, 10n));
  await test.block();
  return { account, count: { tokenId: mint.body.nftTokenId, nftData: mint.body.nftData, amount: '10' } };
}

it(
  'an NFT order that ends while its trade waits for the engine is not traded',
  async () => {
    const { db } = test.relayer;
    const { account: seller, count } = await nftSeller();
    const buyer = await test.account();
    const validUntil = await seller.inSeconds(300);
    const maker = await seller.nftOrder(count, price(ether), { validUntil });
    const taker = await buyer.nftOrder(price(ether), count, { fillAmountBOrS: true, validUntil });
    let traded: ReturnType<typeof buyer.signed> | undefined;
    await holding(db, lockEngine, async () => {
      traded = buyer.signed('POST', TRADE, trade(maker, taker));
      await until('the trade waits for the engine', async () => {
        // The engine itself waits with another statement.
        const [waiting] = await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE 'SELECT pg_advisory_xact_lock%'`,
        );
        return waiting !== undefined;
      });
      await (await openClock(db)).advance(301_000);
    });
    expect((await traded)?.body.resultInfo).toEqual({
      code: relayerErrors.ORDER_EXPIRED.code,
      message: `maker: validUntil ${validUntil} has passed`,
    });
    expect(await db.query('SELECT 1 FROM nft_trades')).toEqual([]);
  },
  START_TIMEOUT_MS,
);

it(
  'an NFT trade that its orders do not allow does not wait for the engine',
  async () => {
    const { account: seller, count } = await nftSeller();
    const buyer = await test.account();
    const maker = await seller.nftOrder(count, price(2n * ether));
    const buy = (amount: bigint) => buyer.nftOrder(price(amount), count, { fillAmountBOrS: true });
    const [low, enough, beyond] = [await buy(ether), await buy(2n * ether), await buy(10_000n * ether)];
    const voided = await buyer.nftOrder(price(2n * ether), count, { fillAmountBOrS: true, storageId: 400 });
    await buyer.placed([ETH, ether], [LRC, 100_000n * ether], { storageId: 400 + 16_384, clientOrderId: 'one' });
    const named = await buyer.nftOrder(price(2n * ether), count, { fillAmountBOrS: true, clientOrderId: 'one' });
    const one = await buyer.nftOrder(price(ether), { ...count, amount: '1' }, { fillAmountBOrS: true });
    const cheap = await seller.nftOrder(count, price(ether / 1000n));
    await holding(test.relayer.db, lockEngine, async () => {
      const { body: small } = await buyer.signed('POST', TRADE, trade(cheap, one));
      expect([small.resultInfo.code, small.resultInfo.message]).toEqual([
        relayerErrors.ORDER_TOO_SMALL.code,
        expect.stringMatching(/^the fees do not cover the trade cost/),
      ]);
      const answer = async (taker: object, takerFeeBips = 50) => {
        const body = { ...trade(maker, taker).body, takerFeeBips };
        const { code, message } = (await buyer.signed('POST', TRADE, { body })).body.resultInfo;
        return [code, message];
      };
      expect(await answer(low)).toEqual([
        relayerErrors.ORDER_INVALID.code,
        'the prices of maker and taker do not meet for what is left of them',
      ]);
      expect(await answer(enough, 49)).toEqual([
        relayerErrors.RATE_ILLEGAL.code,
        'takerFeeBips: rate and royalty of this order ask for 50',
      ]);
      expect(await answer(beyond)).toEqual([
        relayerErrors.BALANCE_INSUFFICIENT.code,
        expect.stringMatching(/^taker: token 0: less than .* is free/),
      ]);
      expect(await answer(voided)).toEqual([
        relayerErrors.STORAGE_ID_INVALID.code,
        'taker: storageId 400 is void: its slot is held by 16784',
      ]);
      expect(await answer(named)).toEqual([
        relayerErrors.ORDER_EXISTS.code,
        'taker: clientOrderId one names another order of this account',
      ]);
      const { body: minted } = await seller.get('/api/v3/user/nft/balances');
      const fee = { tokenId: ETH, volume: String(10_000n * ether) };
      const deployment = await seller.deployment(minted.data[0].nftData, { token: fee });
      const { body: paid } = await seller.signed('POST', '/api/v3/nft/deployTokenAddress', { body: deployment });
      expect(paid.resultInfo.code).toBe(relayerErrors.BALANCE_INSUFFICIENT.code);
    });
  },
  START_TIMEOUT_MS,
);

it(
  'a queue of NFT trades that never ends does not stop the engine',
  async () => {
    const { account: seller, count } = await nftSeller();
    const buyer = await test.account();
    const maker = await seller.nftOrder(count, price(ether));
    // Orders hold too much, and the one in the slot of this one too little: only under the lock is
    // that known, after the maker's order is placed.
    const most = ((await buyer.balance(ETH)).total * 2n) / 3n;
    await buyer.placed([ETH, most], [LRC, 100_000n * most]);
    await buyer.placed([ETH, ether], [LRC, 100_000n * ether], { storageId: 1_000 });
    const taker = await buyer.nftOrder(price(most), count, { fillAmountBOrS: true, storageId: 1_000 + 16_384 });
    let inProgress = true;
    atEndOfFile(() => {
      inProgress = false;
    });
    const answers = new Set<string>();
    let trades = 0;
    const queue = Array.from({ length: 8 }, async () => {
      while (inProgress) {
        const { body: answer } = await buyer.signed('POST', TRADE, trade(maker, taker));
        answers.add(answer.resultInfo.message);
        trades++;
      }
    });
    await sleep(500);
    const hashes = [
      await seller.placed([LRC, 100n * ether], [ETH, ether / 100n]),
      await buyer.placed([ETH, ether / 100n], [LRC, 100n * ether]),
    ];
    await seller.post('/api/v3/transfer', await seller.transfer(`0x${'0d'.repeat(20)}`, [LRC, ether]));
    const before = trades;
    const isDone = async () => {
      const [row] = await test.relayer.db.query(
        `SELECT 1 FROM requests JOIN blocks USING (block_id) WHERE requests.other_address = $1 AND blocks.status <> 'open'
           AND 2 = (SELECT count(*) FROM orders WHERE hash = ANY($2::text[]) AND status = 'processed')`,
        [`0x${'0d'.repeat(20)}`, hashes],
      );
      return row !== undefined;
    };
    while (!(await isDone())) await sleep(50);
    inProgress = false;
    await Promise.all(queue);
    expect(trades).toBeGreaterThan(before);
    expect([...answers]).toEqual([expect.stringMatching(/^taker: token 0: less than .* is free/)]);
  },
  START_TIMEOUT_MS,
);

it(
  'a block by hand ends under load: it has what waited when it was asked for',
  async () => {
    const load = await startLoad([test.relayer]);
    await load.acknowledgementOfEach();
    const before = [...load.acknowledged];
    const endless = load.acknowledgements(500).then(() => 'it goes on and on');
    expect(await Promise.race([test.block(), endless])).toBeUndefined();
    const left = await test.relayer.db.query(
      `SELECT hash FROM requests WHERE status = 'received' AND hash = ANY($1::text[])
       UNION ALL SELECT hash FROM orders WHERE status = 'processing' AND NOT resting AND hash = ANY($1::text[])`,
      [before],
    );
    await load.stop();
    expect([left, load.wrong]).toEqual([[], []]);
  },
  START_TIMEOUT_MS,
);

it(
  'an engine that does not get its lock makes no progress',
  async () => {
    const { db, engine } = test.relayer;
    await until('the engine rests', async () => Number(engine.sinceProgress()) < 100);
    const account = await test.account();
    await holding(db, lockEngine, async () => {
      await account.post('/api/v3/transfer', await account.transfer(`0x${'0e'.repeat(20)}`, [LRC, ether]));
      await sleep(1_500);
      expect(engine.sinceProgress()).toBeGreaterThan(1_000);
    });
  },
  START_TIMEOUT_MS,
);

it(
  'an engine that never runs out of orders seals blocks and expires orders',
  async () => {
    const { db } = test.relayer;
    const account = await test.account();
    // Whatever puts this order into the book finds it new again: each look of the engine has work.
    await db.script(`CREATE FUNCTION stay_new() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN NEW.resting := false; RETURN NEW; END $$`);
    await db.script(`CREATE TRIGGER stay_new BEFORE UPDATE ON orders
      FOR EACH ROW WHEN (OLD.client_order_id = 'ever new') EXECUTE FUNCTION stay_new()`);
    const place = (changes: Record<string, unknown>) =>
      account.placed([LRC, 100n * ether], [ETH, 10n * ether], changes);
    await place({ clientOrderId: 'ever new' });
    const ending = await place({});
    await account.post('/api/v3/transfer', await account.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
    // A step of the clock would wait for the engine.
    await db.query('UPDATE orders SET valid_until = 1 WHERE hash = $1', [ending]);
    await until('the order expires and the block of the transfer is sealed', async () => {
      const [row] = await db.query(
        `SELECT 1 FROM orders, requests WHERE orders.hash = $1 AND orders.status = 'expired'
           AND requests.other_address = $2 AND requests.status = 'processed'`,
        [ending, `0x${'0c'.repeat(20)}`],
      );
      return row !== undefined;
    });
    await db.script('DROP TRIGGER stay_new ON orders');
  },
  START_TIMEOUT_MS,
);

it.each([
  ['57014', '0f'],
  ['XX001', '1f'],
])(
  'a request that the database always refuses with %s waits, and stops no other one',
  async (state, to) => {
    const receiver: `0x${string}` = `0x${to.repeat(20)}`;
    const { db } = test.relayer;
    const [slow, sender] = [await test.account(), await test.account()];
    const [buyer, seller] = [await test.account(), await test.account()];
    await slow.submit(await slow.order([LRC, 100n * ether], [ETH, ether]));
    await until('the order is in the book', async () => {
      const [row] = await db.query('SELECT 1 FROM orders WHERE account_id = $1 AND resting', [slow.accountId]);
      return row !== undefined;
    });
    await db.script(`CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'it fails' USING ERRCODE = '${state}'; END $$`);
    await db.script(`CREATE TRIGGER take_too_long BEFORE UPDATE ON orders
      FOR EACH ROW WHEN (OLD.account_id = ${slow.accountId}) EXECUTE FUNCTION take_too_long()`);
    const { body } = await slow.call('POST', '/api/v3/account', await slow.keyUpdate(randomSecretKey()));
    expect(body).toMatchObject({ status: 'received' });
    // An order that meets the one that cannot be changed, and two of another market.
    const answers = [
      await sender.submit(await sender.order([ETH, ether], [LRC, 10n * ether])),
      await seller.submit(await seller.order([ETH, ether / 100n], [USDC, 10_000_000n])),
      await buyer.submit(await buyer.order([USDC, 10_000_000n], [ETH, ether / 100n])),
    ];
    const [meeting, ...hashes] = answers.map((answer) => answer.body.hash);
    await sender.post('/api/v3/transfer', await sender.transfer(receiver, [LRC, ether]));
    await until('the transfer is in a sealed block, and the other market is matched', async () => {
      const [row] = await db.query(
        `SELECT 1 FROM requests WHERE other_address = $1 AND status = 'processed'
           AND 2 = (SELECT count(*) FROM orders WHERE hash = ANY($2::text[]) AND status = 'processed')`,
        [receiver, hashes],
      );
      return row !== undefined;
    });
    const [waiting] = await db.query('SELECT status FROM requests WHERE hash = $1', [body.hash]);
    expect(waiting).toEqual({ status: 'received' });
    const [unmatched] = await db.query('SELECT status FROM orders WHERE hash = $1', [meeting]);
    expect(unmatched).toEqual({ status: 'processing' });
    await db.script('DROP FUNCTION take_too_long CASCADE');
    await test.block();
    const [settled] = await db.query('SELECT status FROM requests WHERE hash = $1', [body.hash]);
    expect(settled).toEqual({ status: 'processed' });
  },
  START_TIMEOUT_MS,
);

it(
  'orders that the database cannot match together now are taken one by one in a later transaction',
  async () => {
    const { db } = test.relayer;
    const [slow, meeting, seller, buyer] = await Promise.all([0, 1, 2, 3].map(() => test.account()));
    if (!slow || !meeting || !seller || !buyer) throw new Error('an account is missing');
    await slow.placed([LRC, 100n * ether], [ETH, ether]);
    await until('the order is in the book', async () => {
      const [row] = await db.query('SELECT 1 FROM orders WHERE account_id = $1 AND resting', [slow.accountId]);
      return row !== undefined;
    });
    // What is counted by sequences stays after a rollback.
    for (const name of ['failures', 'failure_1', 'failure_2']) await db.script(`CREATE SEQUENCE ${name}`);
    await db.script(`CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM setval('failure_' || nextval('failures'), pg_current_xact_id()::text::bigint);
      RAISE EXCEPTION 'it fails' USING ERRCODE = '57014'; END $$`);
    await db.script(`CREATE TRIGGER take_too_long BEFORE UPDATE ON orders
      FOR EACH ROW WHEN (OLD.account_id = ${slow.accountId}) EXECUTE FUNCTION take_too_long()`);
    await meeting.placed([ETH, ether], [LRC, 10n * ether]);
    const hashes = [
      await seller.placed([ETH, ether / 100n], [USDC, 10_000_000n]),
      await buyer.placed([USDC, 10_000_000n], [ETH, ether / 100n]),
    ];
    await until('the other market is matched', async () => {
      const [row] = await db.query<{ n: number }>(
        `SELECT count(*) AS n FROM orders WHERE hash = ANY($1::text[]) AND status = 'processed'`,
        [hashes],
      );
      return row?.n === 2;
    });
    const failures = await db.query<{ calls: number; first: number; second: number }>(
      `SELECT failures.last_value AS calls, failure_1.last_value AS first, failure_2.last_value AS second
       FROM failures, failure_1, failure_2`,
    );
    expect(failures).toEqual([{ calls: 2, first: expect.any(Number), second: expect.any(Number) }]);
    expect(failures[0]?.second).not.toBe(failures[0]?.first);
    await db.script('DROP FUNCTION take_too_long CASCADE');
    for (const name of ['failures', 'failure_1', 'failure_2']) await db.script(`DROP SEQUENCE ${name}`);
    await test.block();
  },
  START_TIMEOUT_MS,
);

it.each([
  ['whose data are damaged', 'XX001'],
  ['whose end breaks a constraint', '23514'],
])(
  'an order %s keeps no other order from expiring',
  async (_, state) => {
    const { db } = test.relayer;
    const [damaged, other] = [await test.account(), await test.account()];
    const place = (account: typeof other) => account.placed([LRC, 100n * ether], [ETH, 10n * ether]);
    const hashes = [await place(damaged), await place(other)];
    await db.script(`CREATE FUNCTION damaged() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'it fails' USING ERRCODE = '${state}'; END $$`);
    await db.script(`CREATE TRIGGER damaged BEFORE UPDATE ON orders FOR EACH ROW
      WHEN (NEW.account_id = ${damaged.accountId} AND NEW.status = 'expired') EXECUTE FUNCTION damaged()`);
    await db.query('UPDATE orders SET valid_until = array_position($1::text[], hash) WHERE hash = ANY($1::text[])', [
      hashes,
    ]);
    const statuses = async () => {
      const rows = await db.query<{ status: string }>(
        'SELECT status FROM orders WHERE hash = ANY($1::text[]) ORDER BY valid_until',
        [hashes],
      );
      return rows.map(({ status }) => status);
    };
    await until('the other order expires', async () => (await statuses())[1] === 'expired');
    expect(await statuses()).toEqual(['processing', 'expired']);
    await db.script('DROP FUNCTION damaged CASCADE');
    await test.block();
    expect(await statuses()).toEqual(['expired', 'expired']);
  },
  START_TIMEOUT_MS,
);

it(
  'an account with more open orders than one statement may close gets its key',
  async () => {
    const { db } = test.relayer;
    const account = await test.account();
    const { hash } = (await account.submit(await account.order([LRC, 100n * ether], [ETH, 11n * ether]))).body;
    const [columns] = await db.query<{ list: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS list FROM pg_attribute WHERE attrelid = 'orders'::regclass
         AND attnum > 0 AND NOT attisdropped AND attname NOT IN ('seq', 'hash', 'locked', 'resting')`,
    );
    await db.query(
      `INSERT INTO orders (hash, locked, resting, ${columns?.list})
       SELECT 'copy ' || n, 0, false, ${columns?.list} FROM orders, generate_series(1, 4500) AS n WHERE hash = $1`,
      [hash],
    );
    const open = 'SELECT count(*) AS n FROM orders WHERE account_id = $1 AND status =';
    await until('all of them are in the book', async () => {
      const [row] = await db.query(`${open} 'processing' AND resting`, [account.accountId]);
      return row?.n === 4_501;
    });
    for (const [event, table] of [
      ['UPDATE', 'orders'],
      ['DELETE', 'closed_orders'],
    ] as const) {
      await db.script(`CREATE FUNCTION bound_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM changed) > 2000 THEN RAISE EXCEPTION 'too much at once' USING ERRCODE = '57014'; END IF;
        RETURN NULL; END $$`);
      await db.script(`CREATE TRIGGER bound AFTER ${event} ON ${table} REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION bound_${table}()`);
    }
    await account.activate(randomSecretKey());
    const [cancelled] = await db.query(`${open} 'cancelled'`, [account.accountId]);
    expect(cancelled).toEqual({ n: 4_501 });
    expect((await account.balance(LRC)).locked).toBe(0n);
    await until('they have left the book', async () => {
      const [row] = await db.query(
        'SELECT (SELECT count(*) FROM closed_orders) AS closed, max(orders) AS n FROM book_levels',
      );
      return row?.closed === 0 && Number(row.n) < 4_500;
    });
  },
  START_TIMEOUT_MS,
);

it(
  'a thousand deposits that wait for room stop no other request',
  async () => {
    const { db } = test.relayer;
    const [full, sender] = [await test.account(), await test.account()];
    const nft = { tokenAddress: `0x${'c1'.repeat(20)}`, nftId: '0x2a', amount: String(MAX_AMOUNT) };
    await test.call('POST', '/dev/nftDeposit', { body: { owner: full.owner, ...nft } });
    const [slot] = await db.query<{ token_id: number; nft_data: `0x${string}` }>(
      'SELECT token_id, nft_data FROM nft_slots WHERE account_id = $1',
      [full.accountId],
    );
    await db.transaction(async (tx) => {
      const account = await lockAccount(tx, full.accountId);
      if (!account || !slot) throw new Error('the account has no NFT');
      const deposit = { from: full.owner, tokenId: slot.token_id, nftData: slot.nft_data, amount: 1n };
      for (let n = 0; n < 1_000; n++) await recordDeposit(tx, account, deposit, Date.now());
    });
    await sender.post('/api/v3/transfer', await sender.transfer(`0x${'0b'.repeat(20)}`, [LRC, ether]));
    await until('the transfer is settled', async () => {
      const [row] = await db.query(`SELECT 1 FROM requests WHERE other_address = $1 AND status <> 'received'`, [
        `0x${'0b'.repeat(20)}`,
      ]);
      return row !== undefined;
    });
    const [waiting] = await db.query(
      `SELECT count(*) AS n FROM requests WHERE account_id = $1 AND status = 'received'`,
      [full.accountId],
    );
    expect(waiting).toEqual({ n: 1_000 });
  },
  START_TIMEOUT_MS,
);
