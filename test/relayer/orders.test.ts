import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatHash } from '../../src/protocol/formatHash.ts';
import { orderHash } from '../../src/protocol/payloads/order.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

describe.each(databases)('the way of an order on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('answers the locally computed hash, freezes the sold amount, and frees it with the cancel', async () => {
    const alice = await test.account();
    const before = await alice.balance(LRC);
    const body = await alice.order([LRC, 1_000n * ether], [ETH, ether]);
    const reply = await alice.submit(body);
    expect(reply.body).toEqual({
      hash: formatHash(orderHash(body)),
      clientOrderId: '',
      status: 'processing',
      isIdempotent: false,
    });
    expect((await alice.balance(LRC)).locked).toBe(1_000n * ether);
    const cancelled = await alice.cancel({ orderHash: reply.body.hash });
    expect(cancelled.body).toMatchObject({ hash: reply.body.hash, status: 'cancelled', isIdempotent: false });
    expect(await alice.balance(LRC)).toEqual(before);
  });

  it('is read and cancelled by its hash without leading zeros, as some clients print it', async () => {
    const alice = await test.account();
    let validUntil = await alice.inSeconds(3600);
    let body = await alice.order([LRC, 1_000n * ether], [ETH, ether], { validUntil });
    while (orderHash(body) >= 1n << 252n)
      body = await alice.order([LRC, 1_000n * ether], [ETH, ether], { validUntil: ++validUntil });
    const { hash } = (await alice.submit(body)).body;
    const short = `0x${orderHash(body).toString(16)}`;
    expect(short).not.toBe(hash);
    expect((await alice.orderOf(short)).hash).toBe(hash);
    const bob = await test.account();
    await bob.submit(await bob.order([ETH, ether / 2n], [LRC, 500n * ether]));
    await test.block();
    expect((await alice.get('/api/v3/user/trades', { orderHash: short })).body.trades).toHaveLength(1);
    expect((await alice.cancel({ orderHash: short })).body).toMatchObject({ hash, status: 'cancelled' });
  });

  it('recognises the same bytes and keeps one order', async () => {
    const alice = await test.account();
    const body = await alice.order([LRC, 1_000n * ether], [ETH, ether]);
    await alice.submit(body);
    expect((await alice.submit(body)).body).toMatchObject({ status: 'processing', isIdempotent: true });
    const listed = async (query: object) => (await alice.get('/api/v3/orders', { ...query })).body.totalNum;
    expect(await listed({})).toBe(1);
    expect(await listed({ extraOrderTypes: 'TRADITIONAL_ORDER,STOP_LIMIT' })).toBe(1);
    expect(await listed({ extraOrderTypes: 'STOP_LIMIT' })).toBe(0);
    expect((await alice.balance(LRC)).locked).toBe(1_000n * ether);
  });

  it('matches two crossing orders at the older price and charges the taker', async () => {
    const maker = await test.account();
    const taker = await test.account();
    const makerBefore = await maker.balance(ETH);
    const takerBefore = await taker.balance(LRC);
    await maker.submit(await maker.order([LRC, 1_000n * ether], [ETH, ether / 10n]));
    await test.block();
    const reply = await taker.submit(
      await taker.order([ETH, ether / 5n], [LRC, 1_000n * ether], { fillAmountBOrS: true }),
    );
    await test.block();
    expect(await taker.orderOf(reply.body.hash)).toMatchObject({
      status: 'processed',
      side: 'BUY',
      market: 'LRC-ETH',
      volumes: { baseFilled: (1_000n * ether).toString(), quoteFilled: (ether / 10n).toString() },
    });
    expect((await maker.balance(ETH)).total - makerBefore.total).toBe(ether / 10n);
    // 0.2 % of what was bought.
    expect((await taker.balance(LRC)).total - takerBefore.total).toBe((1_000n * ether * 998n) / 1000n);
    expect((await taker.balance(ETH)).locked).toBe(0n);
  });

  it('may have a name that an order of another account has', async () => {
    for (const account of await Promise.all([test.account(), test.account()])) {
      const order = await account.order([LRC, 50n * ether], [ETH, ether], { clientOrderId: 'of two accounts' });
      expect((await account.submit(order)).body).toMatchObject({ status: 'processing' });
    }
  });

  it('is not cancelled under the names of two orders', async () => {
    const alice = await test.account();
    const [first, second] = [
      await alice.submit(await alice.order([LRC, 50n * ether], [ETH, ether], { clientOrderId: 'first' })),
      await alice.submit(await alice.order([LRC, 50n * ether], [ETH, ether], { clientOrderId: 'second' })),
    ];
    const both = await alice.cancel({ orderHash: first.body.hash, clientOrderId: 'second' });
    expect(both.body.resultInfo).toMatchObject({ code: 100001 });
    for (const { body } of [first, second]) expect((await alice.orderOf(body.hash)).status).toBe('processing');
    const own = await alice.cancel({ orderHash: first.body.hash, clientOrderId: 'first' });
    expect(own.body).toMatchObject({ status: 'cancelled', clientOrderId: 'first' });
  });

  it('swaps against the pool and leaves its product no smaller', async () => {
    const alice = await test.account();
    const before = await alice.balance(LRC);
    const reply = await alice.submit(
      await alice.order([ETH, ether], [LRC, 14_000n * ether], {
        orderType: 'AMM',
        tradeChannel: 'AMM_POOL',
        poolAddress: test.relayer.config.market.pools[0]?.address,
      }),
    );
    expect(reply.body).toMatchObject({ status: 'processing' });
    await test.block();
    expect((await alice.orderOf(reply.body.hash)).status).toBe('processed');
    const got = (await alice.balance(LRC)).total - before.total;
    expect(got > 14_000n * ether && got < 15_000n * ether).toBe(true);
  });
});
