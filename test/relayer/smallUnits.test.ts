import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Float24, roundToFloat } from '../../src/protocol/floats.ts';
import { STORAGE_SLOTS } from '../../src/protocol/limits.ts';
import { fillAtMakerPrice } from '../../src/relayer/engine/orders/fillMath.ts';
import { open } from '../../src/relayer/engine/orders/matchOrder.ts';
import type { OrderRow } from '../../src/relayer/engine/orders/orderRow.ts';
import { developmentMarket } from '../../src/relayer/market.ts';
import { fuzzFactor } from '../support/fuzz.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL, type PoolPlace, type TestAccount } from './support/testAccount.ts';
import { ether, LRC, USDT } from './support/tokens.ts';

/**
 * Orders, joins and exits of a few units each, where every rounding counts, by people of whom each
 * may work with another one. What they end with is computed once more from the trades alone.
 */

const POOL: PoolPlace = { ...LRC_ETH_POOL, name: 'AMM-LRC-USDT', tokens: [LRC, USDT] };
const FUNDS = 100_000n;

const who = fc.integer({ min: 0, max: 2 });
const few = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3_000 })).map(BigInt);
const order = fc.record({
  do: fc.constant('order' as const),
  who,
  buys: fc.boolean(),
  lrc: few,
  /** Of USDT for a hundred LRC. */
  price: fc.integer({ min: 95, max: 105 }).map(BigInt),
  byB: fc.boolean(),
  seconds: fc.constantFrom(2, 3_600),
  replaces: fc.boolean(),
  orderType: fc.constantFrom('LIMIT_ORDER', 'LIMIT_ORDER', 'TAKER_ONLY', 'MAKER_ONLY'),
  tradeChannel: fc.constantFrom('ORDER_BOOK', 'MIXED'),
});
const act = fc.oneof(
  { weight: 8, arbitrary: order },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), who, lrc: few, usdt: few }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('exit' as const), who, part: fc.integer({ min: 1, max: 100 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block' as const), seconds: fc.constantFrom(0, 0, 1, 2) }) },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

let test: TestRelayer;
let people: TestAccount[];
beforeAll(async () => {
  const small = { decimals: 6, minimum: '1', dust: '0', priceMicroUsd: '0', paysFees: false, fastWithdrawLimit: '0' };
  const tokens = developmentMarket.tokens.map((token) =>
    token.tokenId === LRC || token.tokenId === USDT ? { ...token, ...small } : token,
  );
  const [pool] = developmentMarket.pools;
  if (!pool) throw new Error('the development market has no pool');
  test = await startRelayer({
    market: {
      tokens,
      markets: [{ base: 'LRC', quote: 'USDT', precisionForPrice: 6 }],
      pools: [{ ...pool, quote: 'USDT', seed: ['5000', '5000'] }],
    },
  });
  const funds = (['LRC', 'USDT'] as const).map((symbol) => ({ symbol, amount: String(FUNDS) }));
  people = [];
  for (let n = 0; n < 3; n++) people.push(await test.account([...funds, { symbol: 'ETH', amount: String(ether) }]));
}, START_TIMEOUT_MS);
afterAll(() => test.close());

async function perform(one: Act): Promise<void> {
  if (one.do === 'block') {
    await test.advance(one.seconds * 1_000);
    return test.block();
  }
  const account = people[one.who] as TestAccount;
  switch (one.do) {
    case 'order': {
      const lrc = [LRC, one.lrc] as const;
      const usdt = [USDT, (one.lrc * one.price) / 100n + 1n] as const;
      const [sell, buy] = one.buys ? [usdt, lrc] : [lrc, usdt];
      const [taken] = one.replaces
        ? await test.relayer.db.query<{ storage_id: number }>(
            `SELECT storage_id FROM orders WHERE account_id = $1 AND token_s = $2 AND status = 'processing'
             ORDER BY seq DESC LIMIT 1`,
            [account.accountId, sell[0]],
          )
        : [];
      await account.submit(
        await account.order(sell, buy, {
          fillAmountBOrS: one.byB,
          orderType: one.orderType,
          tradeChannel: one.tradeChannel,
          validUntil: await account.inSeconds(one.seconds),
          ...(taken && { storageId: taken.storage_id + STORAGE_SLOTS }),
        }),
      );
      return;
    }
    case 'join': {
      const amounts = [String(one.lrc), String(one.usdt)];
      await test.call('POST', '/dev/ammJoin', { body: { owner: account.owner, poolAddress: POOL.address, amounts } });
      return;
    }
    case 'exit': {
      const held = (await account.balance(POOL.lp)).total;
      const burned = (held * BigInt(one.part)) / 100n;
      if (burned > 0n) await account.post('/api/v3/amm/exit', await account.exit(POOL, burned, { maxFee: '0' }));
    }
  }
}

interface Fill {
  taker_hash: string;
  maker_hash: string | null;
  taker_sold: bigint;
  taker_bought: bigint;
  taker_fee: bigint;
  maker_fee: bigint;
}

/** What the trades, joins and exits say that everybody has, and which rule a trade breaks. */
async function recompute(): Promise<void> {
  const { db } = test.relayer;
  const orders = new Map((await db.query<OrderRow>('SELECT * FROM orders')).map((row) => [row.hash as string, row]));
  const filled = new Map([...orders.keys()].map((hash) => [hash, { s: 0n, b: 0n, fee: 0n }]));
  const has = new Map(people.flatMap(({ accountId }) => [LRC, USDT].map((id) => [`${accountId}/${id}`, FUNDS])));
  const move = (accountId: number, tokenId: number, amount: bigint) =>
    has.set(`${accountId}/${tokenId}`, (has.get(`${accountId}/${tokenId}`) ?? 0n) + amount);
  const take = (hash: string, sold: bigint, bought: bigint, fee: bigint, bips: number) => {
    const { account_id, token_s, token_b, amount_s, amount_b } = orders.get(hash) as OrderRow;
    const sum = filled.get(hash) as { s: bigint; b: bigint; fee: bigint };
    expect(sold * amount_b <= bought * amount_s, `${hash} sells within its limit`).toBe(true);
    expect(fee).toBe((bought * BigInt(bips)) / 10_000n);
    Object.assign(sum, { s: sum.s + sold, b: sum.b + bought, fee: sum.fee + fee });
    move(account_id, token_s, -sold);
    move(account_id, token_b, bought - fee);
  };
  for (const fill of await db.query<Fill>('SELECT * FROM fills ORDER BY id')) {
    const { taker_hash, maker_hash, taker_sold: sold, taker_bought: bought } = fill;
    for (const amount of [sold, bought]) expect(roundToFloat(amount, Float24)).toBe(amount);
    const taker = orders.get(taker_hash) as OrderRow;
    if (maker_hash === null) take(taker_hash, sold, bought, 0n, 0);
    else {
      const maker = orders.get(maker_hash) as OrderRow;
      expect(maker.account_id).not.toBe(taker.account_id);
      take(taker_hash, sold, bought, fill.taker_fee, taker.taker_bips);
      take(maker_hash, bought, sold, fill.maker_fee, maker.maker_bips);
    }
  }
  for (const [hash, { s, b, fee }] of filled) {
    const row = orders.get(hash) as OrderRow;
    const poolFee = row.fee - fee;
    expect([row.filled_s, row.filled_b, poolFee], hash).toEqual([s, b, 0n]);
    expect(row.fill_by_b ? b <= row.amount_b && s <= row.amount_s : s <= row.amount_s, hash).toBe(true);
    expect(row.locked).toBe(row.status === 'processing' ? row.amount_s - s : 0n);
  }
  const moved = await db.query<{ account_id: number; kind: string; details: { actual: string[] } }>(
    `SELECT account_id, kind, details FROM requests WHERE kind IN ('ammJoin', 'ammExit') AND details ? 'actual'`,
  );
  for (const { account_id, kind, details } of moved)
    for (const [index, amount] of details.actual.entries())
      move(account_id, POOL.tokens[index] as number, kind === 'ammJoin' ? -BigInt(amount) : BigInt(amount));
  for (const account of people)
    for (const tokenId of [LRC, USDT])
      expect((await account.balance(tokenId)).total).toBe(has.get(`${account.accountId}/${tokenId}`));
}

/** Orders that rest although a trade between them is within both limits. */
async function missed(): Promise<string[]> {
  const rows = await test.relayer.db.query<OrderRow>(
    `SELECT * FROM orders WHERE status = 'processing' AND resting ORDER BY seq`,
  );
  return rows.flatMap((maker, index) =>
    rows.slice(index + 1).flatMap((taker) => {
      if (taker.side === maker.side || taker.account_id === maker.account_id) return [];
      return fillAtMakerPrice(open(taker), open(maker)) ? [`${taker.hash} takes ${maker.hash}`] : [];
    }),
  );
}

/** What LP tokens stand for: the product of both reserves rises with the square of the supply. */
async function worth(): Promise<{ product: bigint; supply: bigint }> {
  const [row] = (await test.call('GET', '/api/v3/amm/balances')).body;
  const [one, other] = row.pooled;
  return { product: BigInt(one.volume) * BigInt(other.volume), supply: BigInt(row.lp.volume) };
}

it(
  'small units are traded within every limit, and nobody gains by rounding',
  async () => {
    let before = await worth();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40 }), async (acts) => {
        for (const one of acts) {
          await perform(one);
          const after = await worth();
          if (before.supply > 0n && after.supply > 0n)
            expect(after.product * before.supply ** 2n >= before.product * after.supply ** 2n).toBe(true);
          before = after;
        }
        await test.block();
        before = await worth();
        expect(await missed()).toEqual([]);
        await recompute();
        expect(await auditDatabase(test.relayer.db)).toEqual([]);
      }),
      { numRuns: 5 * fuzzFactor, endOnFailure: true },
    );
    const [{ n } = { n: 0 }] = await test.relayer.db.query<{ n: number }>('SELECT count(*) AS n FROM fills');
    expect(n).toBeGreaterThan(0);
  },
  START_TIMEOUT_MS,
);
