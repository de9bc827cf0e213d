import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { loadCatalog } from '../../src/relayer/engine/catalog.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { Book } from '../../src/relayer/engine/orders/book.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import type { Relayer } from '../../src/relayer/engine/relayer.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { until } from './support/operated.ts';
import { startOnPostgres, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC, USDT } from './support/tokens.ts';

describe('the order book', () => {
  let test: TestRelayer;
  let maker: TestAccount;
  let other: TestAccount;
  let taker: TestAccount;
  beforeAll(async () => {
    test = await startOnPostgres();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
    await test.close();
  });
  beforeEach(async () => {
    await test.relayer.db.query(`UPDATE orders SET valid_until = 0 WHERE status = 'processing'`);
    await test.block();
    [maker, other, taker] = await Promise.all([test.account(), test.account(), test.account()]);
  });

  /** Sells LRC for ETH at `price` wei for a thousandth LRC. */
  const sell = async (account: TestAccount, lrc: bigint, eth: bigint, changes: object = {}) => {
    const hash = await account.placed([LRC, lrc], [ETH, eth], { ...changes });
    await test.block();
    return hash;
  };
  const buy = async (account: TestAccount, lrc: bigint, eth: bigint, changes: object = {}) => {
    const hash = await account.placed([ETH, eth], [LRC, lrc], { ...changes });
    await test.block();
    return hash;
  };
  const lrc = (n: number) => BigInt(n) * ether;
  const eth = (thousandths: number) => (BigInt(thousandths) * ether) / 1_000n;

  it('takes the better price first, then the older order', async () => {
    const worse = await sell(maker, lrc(100), eth(12));
    const older = await sell(maker, lrc(100), eth(10));
    const newer = await sell(other, lrc(100), eth(10));
    await buy(taker, lrc(150), eth(20), { fillAmountBOrS: true });
    expect((await maker.orderOf(older)).status).toBe('processed');
    expect((await other.orderOf(newer)).volumes.baseFilled).toBe(lrc(50).toString());
    expect((await maker.orderOf(worse)).volumes.baseFilled).toBe('0');
  });

  it('fills in part, keeps the rest frozen, and frees it with the cancel', async () => {
    const hash = await sell(maker, lrc(1_000), eth(100));
    await buy(taker, lrc(400), eth(40), { fillAmountBOrS: true });
    expect(await maker.orderOf(hash)).toMatchObject({
      status: 'processing',
      volumes: { baseFilled: lrc(400).toString(), quoteFilled: eth(40).toString() },
    });
    expect((await maker.balance(LRC)).locked).toBe(lrc(600));
    await maker.cancel({ orderHash: hash });
    expect((await maker.balance(LRC)).locked).toBe(0n);
    expect((await maker.orderOf(hash)).status).toBe('cancelled');
  });

  it('lets two orders rest that no block amounts can exchange, and they stand in nobody else’s way', async () => {
    // At one price that no pair of 24-bit floats has.
    const [amount, price] = [lrc(1_000) + 234_567_891_234_567n, eth(100) + 345_678_912_345_679n];
    const stuck = await sell(maker, amount, price);
    const met = await buy(taker, amount, price);
    for (let round = 0; round < 3; round++) await test.block();
    for (const [account, hash] of [
      [maker, stuck],
      [taker, met],
    ] as const)
      expect(await account.orderOf(hash)).toMatchObject({ status: 'processing', volumes: { baseFilled: '0' } });

    // Behind the stuck offer there is one at the same price in good amounts, and the taker's limit
    // reaches it.
    const behind = await sell(other, lrc(500), eth(50));
    expect((await other.orderOf(behind)).status).toBe('processed');
    // A seller who asks less than the stuck buyer offers takes from him; a buyer who offers more
    // buys from the stuck seller.
    await sell(other, lrc(100), eth(9));
    expect((await taker.orderOf(met)).volumes.baseFilled).toBe(lrc(600).toString());
    await buy(other, lrc(1_000), eth(110), { fillAmountBOrS: true });
    expect((await maker.orderOf(stuck)).volumes.baseFilled).toBe(lrc(1_000).toString());
  });

  it('fills in parts what one pair of block amounts cannot express', async () => {
    const amount = lrc(23_456) + 789_000_000_000_000_000n;
    const hash = await sell(maker, amount, amount / 10_000n);
    const bought = await buy(taker, amount, amount / 10_000n);
    expect(await maker.orderOf(hash)).toMatchObject({
      status: 'processed',
      volumes: { baseFilled: amount.toString() },
    });
    const { trades } = (await taker.get('/api/v3/user/trades', { orderHash: bought })).body;
    expect(trades.map((trade: string[]) => trade[3])).toEqual([
      '89000000000000000',
      (lrc(23_456) + 700_000_000_000_000_000n).toString(),
    ]);
  });

  it('spends the whole sell amount when filled by it, and buys no more than wanted otherwise', async () => {
    await sell(maker, lrc(10_000), eth(1_000));
    const byS = await buy(taker, lrc(500), eth(100));
    expect((await taker.orderOf(byS)).volumes).toMatchObject({
      quoteFilled: eth(100).toString(),
      baseFilled: lrc(1_000).toString(),
    });
    const byB = await buy(taker, lrc(500), eth(100), { fillAmountBOrS: true });
    expect((await taker.orderOf(byB)).volumes).toMatchObject({
      quoteFilled: eth(50).toString(),
      baseFilled: lrc(500).toString(),
    });
    expect((await taker.balance(ETH)).locked).toBe(0n);
  });

  it('takes the price of whole units where they are few, and ends the orders that are left with less', async () => {
    // A base unit of USDT costs 0.029 LRC.
    const cost = (units: bigint) => (units * 29n * ether) / 1_000n;
    for (const account of [maker, other]) await account.placed([USDT, 1_200_000n], [LRC, cost(1_200_000n)]);
    const met = await taker.placed([LRC, cost(1_500_000n) + cost(1n) / 2n], [USDT, 1_500_000n]);
    await test.block();
    expect(await taker.orderOf(met)).toMatchObject({
      status: 'processed',
      volumes: { baseFilled: cost(1_500_000n).toString(), quoteFilled: '1500000' },
    });
    expect((await taker.balance(LRC)).locked).toBe(0n);
  });

  it('cancels what a taker-only order cannot take', async () => {
    await sell(maker, lrc(100), eth(10));
    const hash = await buy(taker, lrc(300), eth(30), { orderType: 'TAKER_ONLY' });
    expect(await taker.orderOf(hash)).toMatchObject({
      status: 'cancelled',
      volumes: { baseFilled: lrc(100).toString() },
    });
    expect((await taker.balance(ETH)).locked).toBe(0n);
  });

  it('cancels a maker-only order that would take, and rests one that would not', async () => {
    await sell(maker, lrc(100), eth(10));
    const taking = await buy(taker, lrc(100), eth(10), { orderType: 'MAKER_ONLY' });
    expect(await taker.orderOf(taking)).toMatchObject({ status: 'cancelled', volumes: { baseFilled: '0' } });
    const resting = await buy(taker, lrc(100), eth(9), { orderType: 'MAKER_ONLY' });
    expect((await taker.orderOf(resting)).status).toBe('processing');
  });

  it('lets only the named taker take a P2P order', async () => {
    const hash = await sell(maker, lrc(100), eth(10), { taker: taker.owner });
    await buy(other, lrc(100), eth(10), { orderType: 'TAKER_ONLY' });
    expect((await maker.orderOf(hash)).volumes.baseFilled).toBe('0');
    await buy(taker, lrc(100), eth(10));
    expect((await maker.orderOf(hash)).status).toBe('processed');
  });

  it('never trades an account with itself', async () => {
    const hash = await sell(maker, lrc(100), eth(10));
    await buy(maker, lrc(100), eth(10), { orderType: 'TAKER_ONLY' });
    expect((await maker.orderOf(hash)).volumes.baseFilled).toBe('0');
  });

  it('expires an order at its deadline and frees what it held', async () => {
    const hash = await sell(maker, lrc(100), eth(10), { validUntil: await maker.inSeconds(60) });
    await test.advance(61_000);
    await test.block();
    expect((await maker.orderOf(hash)).status).toBe('expired');
    expect((await maker.balance(LRC)).locked).toBe(0n);
  });

  it('takes up no order whose time has passed, before it expires, and lets nobody meet one', async () => {
    const { db } = test.relayer;
    const validUntil = await maker.inSeconds(3_600);
    const resting = await sell(maker, lrc(100), eth(10), { validUntil });
    const hash = await taker.placed([ETH, eth(10)], [LRC, lrc(100)], { validUntil });
    const due = await db.query<OrderRow>('SELECT * FROM orders WHERE hash = $1', [hash]);
    const relayer = { catalog: await loadCatalog(db) } as Relayer;
    const at = (seconds: number) =>
      db.transaction(async (tx) => {
        const book = await Book.load(relayer, tx, due, seconds);
        const best = await book.bestFor(due[0] as OrderRow, new Set());
        return [book.due.map((order) => order.hash), best?.hash];
      });
    expect(await at(validUntil - 1)).toEqual([[hash], resting]);
    expect(await at(validUntil)).toEqual([[], undefined]);
  });

  it('replaces an order whose slot a larger storage id takes', async () => {
    const hash = await sell(maker, lrc(100), eth(10), { storageId: 100 });
    await sell(maker, lrc(50), eth(5), { storageId: 100 + 16_384 });
    expect((await maker.orderOf(hash)).status).toBe('cancelled');
    expect((await maker.balance(LRC)).locked).toBe(lrc(50));
  });

  it('charges small orders the rate that covers a trade, up to 0.6 %', async () => {
    await sell(maker, lrc(1_000), eth(200));
    const before = (await taker.balance(LRC)).total;
    await buy(taker, lrc(10), eth(2), { fillAmountBOrS: true });
    const received = (await taker.balance(LRC)).total - before;
    expect(received < (lrc(10) * 998n) / 1_000n).toBe(true);
    expect(received >= (lrc(10) * 994n) / 1_000n).toBe(true);
  });

  it('fills a mixed order from book and pool, each as long as it is the better one', async () => {
    // The pool's price is one ETH for 15,000 LRC; the book offers a little better and a little
    // worse.
    const better = await sell(maker, lrc(1_600), eth(100));
    const worse = await sell(other, lrc(1_400), eth(100));
    const before = (await test.call('GET', '/api/v3/amm/balances')).body[0];
    const hash = await buy(taker, lrc(20_000), eth(2_000), { tradeChannel: 'MIXED' });
    const order = await taker.orderOf(hash);
    expect((await maker.orderOf(better)).status).toBe('processed');
    expect((await other.orderOf(worse)).volumes.baseFilled).toBe('0');
    expect(order.status).toBe('processed');
    const after = (await test.call('GET', '/api/v3/amm/balances')).body[0];
    expect(BigInt(after.pooled[1].volume) - BigInt(before.pooled[1].volume)).toBe(eth(1_900));
  });

  /** Base and quote of the pool of LRC-ETH. */
  const pooled = async (): Promise<[bigint, bigint]> => {
    const { body: pools } = await test.call('GET', '/api/v3/amm/balances');
    return pools[0].pooled.map((token: { volume: string }) => BigInt(token.volume));
  };
  /** Sells a twentieth of the pool's LRC to it, which makes LRC about a tenth cheaper there. */
  const lowerPool = async () => {
    const [base, quote] = await pooled();
    await test.call('POST', '/dev/faucet', {
      body: { owner: maker.owner, tokens: [{ symbol: 'LRC', amount: String(base) }] },
    });
    await maker.submit(
      await maker.order([LRC, base / 20n], [ETH, quote / 100n], { tradeChannel: 'AMM_POOL', orderType: 'TAKER_ONLY' }),
    );
    await test.block();
    await test.block();
  };

  it('fills a resting order when the pool comes to its price', async () => {
    const [base, quote] = await pooled();
    // Wants two per cent more LRC than the pool gives now.
    const hash = await buy(taker, ((base * eth(100)) / quote / 100n) * 102n, eth(100), { tradeChannel: 'AMM_POOL' });
    expect((await taker.orderOf(hash)).volumes.baseFilled).toBe('0');
    await lowerPool();
    expect((await taker.orderOf(hash)).status).toBe('processed');
  });

  it('fills an order for the pool alone from no other order, in the same run neither', async () => {
    const [base, quote] = await pooled();
    const tokens = [{ symbol: 'LRC', amount: String(base) }];
    await test.call('POST', '/dev/faucet', { body: { owner: maker.owner, tokens } });
    await sell(other, lrc(10), eth(1));
    // The pool pays one per cent more, for a part of it.
    const waiting = await maker.placed([LRC, base / 50n], [ETH, (quote * 99n) / 5_000n], { tradeChannel: 'AMM_POOL' });
    const crossing = await taker.placed([ETH, eth(5)], [LRC, lrc(50)], { fillAmountBOrS: true });
    await test.block();
    expect((await maker.orderOf(waiting)).status).toBe('processing');
    expect((await maker.orderOf(waiting)).volumes.baseFilled).not.toBe('0');
    expect((await taker.orderOf(crossing)).volumes.baseFilled).toBe(lrc(10).toString());
  });

  it('leaves a maker-only order to the book, and fills those behind it from the pool', async () => {
    const [base, quote] = await pooled();
    const asking = (percent: bigint) => ((base * eth(100)) / quote / 100n) * percent;
    // Asks for less than the pool gives now.
    const quoting = await buy(other, asking(98n), eth(100), { orderType: 'MAKER_ONLY', tradeChannel: 'MIXED' });
    const behind = await buy(taker, asking(102n), eth(100), { tradeChannel: 'MIXED' });
    await lowerPool();
    expect((await taker.orderOf(behind)).status).toBe('processed');
    expect(await other.orderOf(quoting)).toMatchObject({ status: 'processing', volumes: { baseFilled: '0' } });
  });

  it('ends an order of which only dust is left for the pool, so that it blocks none behind it', async () => {
    // Pays far more than the pool asks. A block amount has no place for its last digits, whose
    // value in ETH is dust.
    const dust = await buy(other, lrc(1_000) + 1_100_000_000_000_000n, eth(1_000), {
      tradeChannel: 'AMM_POOL',
      fillAmountBOrS: true,
    });
    const [base, quote] = await pooled();
    const hash = await buy(taker, ((base * eth(100)) / quote / 100n) * 102n, eth(100), { tradeChannel: 'AMM_POOL' });
    await lowerPool();
    expect((await taker.orderOf(hash)).status).toBe('processed');
    expect(await other.orderOf(dust)).toMatchObject({
      status: 'processed',
      volumes: { baseFilled: lrc(1_000).toString() },
    });
    expect((await other.balance(ETH)).locked).toBe(0n);
  });

  it('fills the orders behind a rest that is too small for the pool’s price', async () => {
    const mixed = { tradeChannel: 'MIXED' };
    // All but a little more than dust, which is worth 1,002 units of USDT.
    const front = await other.placed([ETH, ether + 334_000_000_000n], [USDT, 3_000_001_002n], mixed);
    const taken = await maker.placed([USDT, 3_000_000_000n], [ETH, ether], { fillAmountBOrS: true });
    const behind = await taker.placed([ETH, eth(100)], [USDT, 300_000_000n], mixed);
    await test.block();
    expect((await maker.orderOf(taken)).status).toBe('processed');
    // Now the pool pays for them a five-thousandth more than they ask, but in units of USDT.
    await maker.placed([USDT, 3_300_000_000n], [ETH, eth(1_000)], {
      ...{ tradeChannel: 'AMM_POOL', orderType: 'TAKER_ONLY' },
    });
    await test.block();
    expect(await other.orderOf(front)).toMatchObject({ status: 'processing', volumes: { baseFilled: String(ether) } });
    expect((await taker.orderOf(behind)).status).toBe('processed');
  });

  it('fills a resting order that a pool reaches while new orders keep coming', async () => {
    const [base, quote] = await pooled();
    const resting = await buy(other, ((base * eth(100)) / quote / 100n) * 102n, eth(100), { tradeChannel: 'AMM_POOL' });
    await sell(taker, lrc(100), eth(10));
    const tokens = [{ symbol: 'LRC', amount: String(base) }];
    await test.call('POST', '/dev/faucet', { body: { owner: maker.owner, tokens } });
    await maker.placed([LRC, base / 20n], [ETH, quote / 100n], { tradeChannel: 'AMM_POOL', orderType: 'TAKER_ONLY' });
    // More than two steps of the engine take, and none of them meets anybody.
    for (let at = 0; at < 210; at += 10) {
      const orders = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          maker.order([LRC, lrc(10)], [ETH, eth(100)], { orderType: 'TAKER_ONLY', storageId: 1_000 + 2 * (at + n) }),
        ),
      );
      const body = { accountId: maker.accountId, orders };
      const reply = await test.call('POST', '/api/v3/batchOrders', { body, headers: maker.keyHeader });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    }
    const last = await maker.placed([ETH, eth(10)], [LRC, lrc(100)]);
    let running: Promise<void> | undefined;
    const { db } = test.relayer;
    await holding(db, `SELECT 1 FROM accounts WHERE account_id = ${maker.accountId} FOR UPDATE`, async () => {
      running = test.block();
      await until('the first step waits for the account', async () => {
        const [waiting] = await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting !== undefined;
      });
      // As long as pools may wait for the next comparison.
      await sleep(600);
    });
    await running;
    const fills = await test.relayer.db.query<{ taker_hash: string }>(
      'SELECT taker_hash FROM fills WHERE taker_hash = ANY($1::text[]) ORDER BY id',
      [[resting, last]],
    );
    expect(fills.map(({ taker_hash }) => taker_hash)).toEqual([resting, last]);
  });

  it('fills of two resting orders at one price the earlier one first', async () => {
    const [base, quote] = await pooled();
    // The pool has enough for one of them.
    const ask = async (account: TestAccount) => {
      const tokens = [{ symbol: 'ETH', amount: String(quote) }];
      await test.call('POST', '/dev/faucet', { body: { owner: account.owner, tokens } });
      return buy(account, (base * 306n) / 10_000n, (quote * 3n) / 100n, { tradeChannel: 'AMM_POOL' });
    };
    const earlier = await ask(taker);
    const later = await ask(other);
    await lowerPool();
    expect((await taker.orderOf(earlier)).status).toBe('processed');
    expect((await other.orderOf(later)).status).toBe('processing');
  });

  it('lets a large order that waits for a thousandth keep its place before a small one of the same price', async () => {
    const [base, quote] = await pooled();
    const tokens = [
      { symbol: 'ETH', amount: String(quote) },
      { symbol: 'LRC', amount: String(base) },
    ];
    for (const { owner } of [maker, other]) await test.call('POST', '/dev/faucet', { body: { owner, tokens } });
    // One per cent more LRC than the pool gives now.
    const ask = (account: TestAccount, sold: bigint) =>
      buy(account, (base * sold * 998n * 101n) / (quote * 100_000n), sold, { tradeChannel: 'AMM_POOL' });
    const large = await ask(other, quote);
    const small = await ask(taker, quote / 10_000n);
    const filled = async () => [
      BigInt((await other.orderOf(large)).volumes.quoteFilled),
      BigInt((await taker.orderOf(small)).volumes.quoteFilled),
    ];
    /** Sells ten-thousandths of its LRC to the pool: LRC gets cheaper by twice as many. */
    const lower = async (part: bigint) => {
      const sold = (base * part) / 10_000n;
      await sell(maker, sold, (quote * part) / 20_000n, { tradeChannel: 'AMM_POOL', orderType: 'TAKER_ONLY' });
      await test.block();
    };
    // The large one would get half a thousandth of it.
    await lower(55n);
    expect(await filled()).toEqual([0n, 0n]);
    await lower(10n);
    const [most = 0n, none] = await filled();
    expect(most > quote / 1_000n).toBe(true);
    expect(none).toBe(0n);
  });

  it('fills of an order worth many pools what is a thousandth of the pool', async () => {
    const [base, quote] = await pooled();
    const large = 5n * quote;
    const tokens = [
      { symbol: 'ETH', amount: String(large) },
      { symbol: 'LRC', amount: String(base) },
    ];
    for (const { owner } of [maker, other]) await test.call('POST', '/dev/faucet', { body: { owner, tokens } });
    // One per cent more LRC than the pool gives now.
    const hash = await buy(other, (base * 5n * 998n * 101n) / 100_000n, large, { tradeChannel: 'AMM_POOL' });
    await sell(maker, (base * 70n) / 10_000n, (quote * 70n) / 20_000n, {
      tradeChannel: 'AMM_POOL',
      orderType: 'TAKER_ONLY',
    });
    await test.block();
    expect(BigInt((await other.orderOf(hash)).volumes.quoteFilled) > quote / 1_000n).toBe(true);
  });

  it('fills what takers left of an order from the pool, however small a part of the order it is', async () => {
    const [base, quote] = await pooled();
    const price = ((base * eth(1_000)) / quote / 100n) * 102n;
    const large = await buy(other, price, eth(1_000), { tradeChannel: 'MIXED' });
    const sold = await sell(maker, (price * 9_995n) / 10_000n, eth(900));
    expect((await maker.orderOf(sold)).status).toBe('processed');
    expect((await other.orderOf(large)).status).toBe('processing');
    const hash = await buy(taker, ((base * eth(100)) / quote / 100n) * 103n, eth(100), { tradeChannel: 'AMM_POOL' });
    await lowerPool();
    expect((await other.orderOf(large)).status).toBe('processed');
    expect((await taker.orderOf(hash)).status).toBe('processed');
  });

  it('fills nothing from a pool that was closed, shows none of it, and goes on when it is open again', async () => {
    const turn = async (enabled: boolean) => {
      const pools = developmentMarket.pools.map((pool) => ({ ...pool, enabled }));
      await applySettings(test.relayer.db, readConfig({ dev: true, market: { ...developmentMarket, pools } }), 0);
      const status = async () => (await test.call('GET', '/api/v3/amm/pools')).body.pools[0].status;
      await expect.poll(status).toBe(enabled ? 15 : 9);
    };
    const ladder = async () => {
      const { bids, asks } = (await test.call('GET', '/api/v3/mix/depth', { query: { market: 'LRC-ETH' } })).body;
      return [bids.length, asks.length];
    };
    const [base, quote] = await pooled();
    // Wants half of what the pool gives.
    const body = await taker.order([ETH, eth(100)], [LRC, (base * eth(50)) / quote], { tradeChannel: 'AMM_POOL' });
    const { hash } = (await taker.submit(body)).body;
    expect(await ladder()).toEqual([50, 50]);
    await turn(false);
    for (let round = 0; round < 2; round++) await test.block();
    expect(await taker.orderOf(hash)).toMatchObject({ status: 'processing', volumes: { baseFilled: '0' } });
    expect(await ladder()).toEqual([0, 0]);
    await turn(true);
    await test.block();
    expect((await taker.orderOf(hash)).status).toBe('processed');
    expect(await ladder()).toEqual([50, 50]);
  });

  it('shows each fill in the trades of both sides and in a block', async () => {
    const sold = await sell(maker, lrc(100), eth(10));
    const bought = await buy(taker, lrc(100), eth(10));
    const [mine] = (await taker.get('/api/v3/user/trades', { market: 'LRC-ETH' })).body.trades;
    const [theirs] = (await maker.get('/api/v3/user/trades', { orderHash: sold })).body.trades;
    expect(mine.slice(2, 7)).toEqual(['BUY', lrc(100).toString(), '0.0001', 'LRC-ETH', (lrc(100) / 500n).toString()]);
    expect(mine[12]).toBe(bought);
    expect(theirs.slice(2, 7)).toEqual(['SELL', lrc(100).toString(), '0.0001', 'LRC-ETH', '0']);
    const { body: block } = await taker.get('/api/v3/block/getBlock', { accountId: undefined, id: mine[7] });
    expect(block.transactions[Number(mine[8])]).toMatchObject({
      txType: 'SpotTrade',
      orderA: {
        accountID: taker.accountId,
        tokenS: ETH,
        tokenB: LRC,
        feeBips: 20,
        isAmm: false,
        fillS: Number(eth(10)),
      },
      orderB: { accountID: maker.accountId, tokenS: LRC, tokenB: ETH, feeBips: 0 },
    });
    const url = `${test.place.url}/api/v3/block/getBlock?id=${mine[7]}`;
    const text = await (await fetch(url, { headers: taker.keyHeader })).text();
    expect(text).toContain(`"fillS":${eth(10)}`);
  });

  it('finds the lowest free storage id, or with maxNext the one above which all are free', async () => {
    // Every even id below 100 is used but 20 and 60.
    const rows = Array.from({ length: 50 }, (_, n) => 2 * n).filter((id) => id !== 20 && id !== 60);
    for (const id of rows)
      await test.relayer.db.query('INSERT INTO storage_slots VALUES ($1, $2, $3::int, $3::int, $4)', [
        maker.accountId,
        USDT,
        id,
        'x',
      ]);
    const ask = async (maxNext: boolean) =>
      (await maker.get('/api/v3/storageId', { sellTokenId: USDT, maxNext })).body.orderId;
    expect(await ask(false)).toBe(20);
    expect(await ask(true)).toBe(100);
    await test.relayer.db.query('INSERT INTO storage_slots VALUES ($1, $2, 20, 20, $3)', [maker.accountId, USDT, 'x']);
    expect(await ask(false)).toBe(60);
    await test.relayer.db.query('INSERT INTO storage_slots VALUES ($1, $2, 60, 60, $3)', [maker.accountId, USDT, 'x']);
    expect(await ask(false)).toBe(100);
    expect((await maker.get('/api/v3/storageId', { sellTokenId: USDT })).body.offchainId).toBe(1);
  });
});

describe('fees and least amounts', () => {
  let test: TestRelayer;
  let alice: TestAccount;
  beforeAll(async () => {
    test = await startOnPostgres();
    alice = await test.account();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  const limits = async () =>
    (
      await alice.get('/api/v3/nft/info/orderUserRateAmount', {
        nftTokenAddress: await alice.nftContract(),
        feeTokenSymbol: 'ETH',
      })
    ).body;

  it('hold until cacheOverdueAt and follow the gas price after it, every 15 minutes', async () => {
    const first = await limits();
    const { body: clock } = await test.call('GET', '/api/v3/timestamp');
    expect(first.cacheOverdueAt * 1000 - clock.timestamp).toBeLessThanOrEqual(15 * 60_000);
    const seen = new Set<string>();
    for (let quarter = 0; quarter < 8; quarter++) {
      const now = await limits();
      const cost = BigInt(now.amounts[0].tradeCost);
      // 100 gas units, rounded up to three digits.
      expect(cost >= 100n * BigInt(now.gasPrice) && cost <= 101n * BigInt(now.gasPrice)).toBe(true);
      seen.add(now.gasPrice);
      const left = now.cacheOverdueAt * 1000 - (await test.call('GET', '/api/v3/timestamp')).body.timestamp;
      // The test may begin in the last minute of a quarter.
      await test.advance(Math.max(0, left - 60_000));
      expect((await limits()).gasPrice).toBe(now.gasPrice);
      await test.advance(60_000);
      expect((await limits()).cacheOverdueAt).toBe(now.cacheOverdueAt + 15 * 60);
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  it('still accept a fee that was quoted in the quarter of an hour before', async () => {
    const quote = async () =>
      BigInt((await alice.get('/api/v3/user/offchainFee', { requestType: 3 })).body.fees[0].fee);
    for (let quarter = 0; quarter < 8; quarter++) {
      const old = await quote();
      await test.advance(15 * 60_000);
      if ((await quote()) <= old) continue;
      const body = await alice.transfer(test.place.exchange, [LRC, ether], {
        maxFee: { tokenId: 0, volume: old.toString() },
      });
      expect((await alice.post('/api/v3/transfer', body)).body.status).toBe('received');
      const lower = await alice.transfer(test.place.exchange, [LRC, ether], {
        maxFee: { tokenId: 0, volume: (old - 1n).toString() },
      });
      expect((await alice.post('/api/v3/transfer', lower)).body.resultInfo.code).toBe(114002);
      return;
    }
    throw new Error('the gas price never rose');
  });

  it('hold an NFT order to the three rules', async () => {
    const mint = await alice.post('/api/v3/nft/mint', await alice.mint(`0x${'cd'.repeat(32)}`, 100n));
    await test.block();
    const { feeRate, amounts } = await limits();
    const { minAmount, tradeCost, marketOrderInfo } = amounts[0];
    const code = async (amount: bigint, maxFeeBips: number) => {
      const sold = { tokenId: mint.body.nftTokenId, amount: '1' };
      const body = await alice.nftOrder(sold, { tokenId: 0, amount: amount.toString() }, { maxFeeBips });
      const reply = await alice.post('/api/v3/nft/validateOrder', body);
      return reply.body.resultInfo?.code ?? reply.body.status;
    };
    const least =
      BigInt(minAmount) > BigInt(marketOrderInfo.minimum) ? BigInt(minAmount) : BigInt(marketOrderInfo.minimum);
    expect(await code(least, feeRate)).toBe('processing');
    expect(await code(least, feeRate - 1)).toBe(102006);
    expect(await code(BigInt(marketOrderInfo.maximum), feeRate)).toBe('processing');
    expect(await code(BigInt(marketOrderInfo.maximum) + 1n, feeRate)).toBe(102020);
    expect(await code(BigInt(marketOrderInfo.minimum) - 1n, feeRate)).toBe(102012);
    expect(BigInt(minAmount) * BigInt(feeRate) >= BigInt(tradeCost) * 10_000n).toBe(true);
  });

  it(
    'let a small NFT order in when its higher rate covers the trade',
    async () => {
      const { nftRateFor } = await import('../../src/relayer/engine/nft/nftOrderRates.ts');
      const tiny = await startOnPostgres({
        market: {
          ...developmentMarket,
          tokens: developmentMarket.tokens.map((token) =>
            token.tokenId === 0 ? { ...token, minimum: '1', dust: '0' } : token,
          ),
        },
      });
      const bob = await tiny.account();
      const mint = await bob.post('/api/v3/nft/mint', await bob.mint(`0x${'cd'.repeat(32)}`, 100n));
      await tiny.block();
      const { body } = await bob.get('/api/v3/nft/info/orderUserRateAmount', {
        nftTokenAddress: await bob.nftContract(),
        feeTokenSymbol: 'ETH',
      });
      const cost = BigInt(body.amounts[0].tradeCost);
      const order = async (amount: bigint, maxFeeBips: number) => {
        const sold = { tokenId: mint.body.nftTokenId, amount: '1' };
        const reply = await bob.post(
          '/api/v3/nft/validateOrder',
          await bob.nftOrder(sold, { tokenId: 0, amount: amount.toString() }, { maxFeeBips }),
        );
        return reply.body.resultInfo?.code ?? reply.body.status;
      };
      // amount · 60 / 10000 must exceed the cost, and the amount stays below minAmount.
      const enough = (cost * 10_000n) / 60n + 1n;
      expect(enough < BigInt(body.amounts[0].minAmount)).toBe(true);
      expect(await order(enough, 60)).toBe('processing');
      expect(await order(enough, 59)).toBe(102012);
      expect(await order((cost * 10_000n) / 60n - 1n, 60)).toBe(102012);
      const quoted = async (amount: bigint) => {
        const asked = { nftTokenAddress: await bob.nftContract(), quoteToken: 0, quoteAmount: amount.toString() };
        return (await bob.get('/api/v3/user/nft/orderFee', asked)).body.feeRate.rate;
      };
      const needs62 = (cost * 10_000n) / 62n + 1n;
      expect(await order(needs62, 61)).toBe(102012);
      expect(await order(needs62, await quoted(needs62))).toBe('processing');
      expect(nftRateFor({ feeRate: 50, minAmount: 200n, tradeCost: 1n }, 170n)).toBe(59);
      // At 53 the fee is the cost, which it has to exceed.
      expect(nftRateFor({ feeRate: 50, minAmount: 318n, tradeCost: 159n }, 30_000n)).toBe(50);
      expect(nftRateFor({ feeRate: 50, minAmount: 31_800n, tradeCost: 159n }, 30_000n)).toBe(54);
      await tiny.close();
    },
    START_TIMEOUT_MS,
  );
});
