import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditDatabase } from './support/audit.ts';
import { databases, START_TIMEOUT_MS } from './support/databases.ts';
import type { TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const milli = ether / 1000n;
/** More than the engine reads of a side at once. */
const ASKS = 130;

describe.each(databases)('a deep book on $name', ({ start }) => {
  let test: TestRelayer;
  beforeAll(async () => {
    test = await start();
  }, START_TIMEOUT_MS);
  afterAll(() => test.close());

  it('is taken from the best price on, past what is read at once, and the taker of the same run sees what came to rest in it', async () => {
    const maker = await test.account();
    const other = await test.account();
    const takers = [await test.account(), await test.account()];
    const validUntil = await maker.inSeconds(3600);
    // 10 LRC each, from 1.000 to 1.129 thousandths of ETH a LRC, in a mixed order; one in between
    // is another's.
    const asks = await Promise.all(
      Array.from({ length: ASKS }, (_, n) => (n * 37) % ASKS).map((level, n) =>
        (level === 60 ? other : maker).order(
          [LRC, 10n * ether],
          [ETH, 10n * milli + (10n * milli * BigInt(level)) / 1000n],
          { storageId: level === 60 ? 0 : 2 * n, validUntil },
        ),
      ),
    );
    const placed = await Promise.all(
      asks.map((ask) => (ask.accountId === other.accountId ? other : maker).submit(ask)),
    );
    expect(placed.map(({ status }) => status)).toEqual(asks.map(() => 200));
    await test.block();

    // Wants 1,250 LRC at 1.13 thousandths: the 125 best. What its limit leaves over is freed.
    const [first, second] = takers as [(typeof takers)[0], (typeof takers)[0]];
    const deep = await first?.order([ETH, (1_250n * milli * 1_130n) / 1_000n], [LRC, 1_250n * ether], {
      fillAmountBOrS: true,
      validUntil,
    });
    const rest = await other.order([LRC, 10n * ether], [ETH, (10n * milli * 1_124n) / 1_000n], {
      storageId: 2,
      validUntil,
    });
    const next = await second?.order([ETH, (20n * milli * 1_126n) / 1_000n], [LRC, 20n * ether], {
      fillAmountBOrS: true,
      validUntil,
    });
    const replies = [await first?.submit(deep), await other.submit(rest), await second?.submit(next)];
    expect(replies.map((reply) => reply?.status)).toEqual([200, 200, 200]);
    await test.block();

    const [taken, resting, after] = [
      await first?.orderOf(replies[0]?.body.hash),
      await other.orderOf(replies[1]?.body.hash),
      await second?.orderOf(replies[2]?.body.hash),
    ];
    const spent = Array.from({ length: 125 }, (_, level) => 10n * milli + (10n * milli * BigInt(level)) / 1000n);
    expect(taken).toMatchObject({
      status: 'processed',
      volumes: {
        baseFilled: (1_250n * ether).toString(),
        quoteFilled: spent.reduce((sum, amount) => sum + amount).toString(),
      },
    });
    // 1.124 came to rest after the deep taker and is better than the 1.125 that is left of the
    // others.
    expect(resting.status).toBe('processed');
    expect(after).toMatchObject({
      status: 'processed',
      volumes: { quoteFilled: ((10n * milli * (1_124n + 1_125n)) / 1_000n).toString() },
    });
    expect((await (first as typeof maker).balance(ETH)).locked).toBe(0n);
    const open = await test.relayer.db.query<{ n: number }>(
      `SELECT count(*) AS n FROM orders WHERE status = 'processing' AND resting`,
    );
    expect(open).toEqual([{ n: 4 }]);
    expect(await auditDatabase(test.relayer.db)).toEqual([]);
  });

  it('is taken by one order to its end before a later one is matched, however many fills that takes', async () => {
    const { db } = test.relayer;
    // What is left of other tests expires.
    await test.advance(3_700_000);
    await test.block();
    const lrc = [
      { symbol: 'LRC', amount: `${10_000n * ether}` },
      { symbol: 'ETH', amount: `${100_000n * ether}` },
    ];
    const people = await Promise.all(Array.from({ length: 5 }, () => test.account(lrc)));
    const [one, two, low, deep, seller] = people as [TestAccount, TestAccount, TestAccount, TestAccount, TestAccount];
    const validUntil = await one.inSeconds(3600);
    const asks = await Promise.all(
      Array.from({ length: 205 }, async (_, n) => {
        const maker = n % 2 === 0 ? one : two;
        return maker.submit(
          await maker.order([LRC, 10n * ether], [ETH, 90n * milli], { storageId: n - (n % 2), validUntil }),
        );
      }),
    );
    expect(asks.map(({ status }) => status)).toEqual(asks.map(() => 200));
    const bid = await low.submit(await low.order([ETH, 85n * milli], [LRC, 10n * ether], { validUntil }));
    await test.block();
    // More than one transaction fills it, and what is left offers more than the other bid.
    const taker = await deep.submit(
      await deep.order([ETH, 21n * ether], [LRC, 2_100n * ether], { fillAmountBOrS: true, validUntil }),
    );
    const sale = await seller.submit(await seller.order([LRC, 10n * ether], [ETH, 80n * milli], { validUntil }));
    expect([bid, taker, sale].map(({ status, body }) => [status, body.resultInfo])).toEqual(
      Array.from({ length: 3 }, () => [200, undefined]),
    );
    await test.block();

    const filled = (hash: string) => db.query('SELECT filled_s, filled_b FROM orders WHERE hash = $1', [hash]);
    expect(await filled(bid.body.hash)).toEqual([{ filled_s: 0n, filled_b: 0n }]);
    expect(await filled(sale.body.hash)).toEqual([{ filled_s: 10n * ether, filled_b: 100n * milli }]);
    expect(await auditDatabase(db)).toEqual([]);
  });
});
