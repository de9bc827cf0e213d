import { describe, expect, test } from 'vitest';
import type { Facts } from '../../src/operations/operation.ts';
import {
  type StandingLimits,
  standingApproval,
  standingLimits,
  tightened,
} from '../../src/operations/standingApproval.ts';
import { DAY, factsWith, issueOf, now } from './support.ts';
import { told } from './told.ts';

/** LRC (token 1) is the base of the market, ETH (token 0) its quote. */
const sale = {
  ...{ sellTokenId: 1, buyTokenId: 0, minPrice: '0.002', orderVolume: '500', totalVolume: '2000' },
  ...{ rate: { requests: 10, seconds: 60 }, validUntil: now + DAY },
};
const { minPrice: _, ...unpriced } = sale;
const purchase = { ...unpriced, sellTokenId: 0, buyTokenId: 1, maxPrice: '0.003' };

const pool = (lrc: string, eth: string) => [
  {
    poolAddress: '0x',
    pooled: [
      { tokenId: 1, volume: lrc },
      { tokenId: 0, volume: eth },
    ],
    lp: { tokenId: 100, volume: '1' },
  },
];
const trade = (price: string) => ({ trades: [[String(now * 1000), 'id', 'SELL', '5', price]] });
const factsOf = (answers: Record<string, unknown> = { getAmmBalances: [] }): Facts => ({
  ...factsWith(),
  recent: async (name) => (answers[name] ?? null) as never,
});
const intentOf = (asked: object) => standingApproval.intent().parse(asked);
const draftOf = (asked: object, answers?: Record<string, unknown>) =>
  standingApproval.prepare(intentOf(asked), factsOf(answers));
const reviewed = async (asked: object, answers?: Record<string, unknown>) =>
  told(standingApproval.review(await draftOf(asked, answers), now));

test('a standing approval is known by name, method and right', () => {
  const { name, method, permission } = standingApproval;
  expect([name, method, permission]).toEqual(['standingApproval', 'relayer_requestStandingApproval', 'orders']);
});

describe('the limits that a site asks for', () => {
  const issue = (changes: object) => issueOf(standingApproval as never, { ...sale, ...changes });

  test.each([
    ['as they are', {}, undefined],
    ['with one operation', { operations: ['cancelOrder'] }, undefined],
    ['with no operation', { operations: [] }, /^operations: /],
    [
      'with an operation twice and another',
      { operations: ['cancelOrder', 'submitOrder', 'cancelOrder'] },
      /^operations: /,
    ],
    ['with an operation that moves funds', { operations: ['transfer'] }, /^operations\.0: /],
    ['for one token', { buyTokenId: 1 }, /^buyTokenId: is the token that is sold$/],
    ['for a token that is none', { sellTokenId: 40_000 }, /^sellTokenId: /],
    ['with no amount', { orderVolume: '0' }, /^orderVolume: is zero$/],
    ['with nothing altogether', { totalVolume: '0' }, /^totalVolume: is zero$/],
    ['with one order that sells all', { orderVolume: '2000' }, undefined],
    ['with an order that sells more than all', { orderVolume: '2001' }, /^orderVolume: is more than totalVolume$/],
    ['with no request', { rate: { requests: 0, seconds: 60 } }, /^rate\.requests: /],
    ['with a thousand requests', { rate: { requests: 1_000, seconds: 1 } }, undefined],
    ['with more', { rate: { requests: 1_001, seconds: 1 } }, /^rate\.requests: /],
    ['with no window', { rate: { requests: 1, seconds: 0 } }, /^rate\.seconds: /],
    ['with the window of a day', { rate: { requests: 1, seconds: DAY } }, undefined],
    ['with a longer one', { rate: { requests: 1, seconds: DAY + 1 } }, /^rate\.seconds: /],
    ['with something else', { more: 1 }, /^more: /],
    ['with something else in the rate', { rate: { requests: 1, seconds: 1, more: 1 } }, /^rate\.more: /],
  ])('%s are taken or refused by name', (_how, changes, expected) => {
    const found = issue(changes);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(expected);
  });

  test.each([
    ...['0', '0.0', '00.1', '.5', '1.', '1e3', '-1', ' 1', '1 ', '1,5', 'x', ''],
    ...[`1${'0'.repeat(30)}`, `0.${'0'.repeat(30)}1`],
  ])('with the price %j are refused', (price) => {
    const expected = /^0\.?0?$/.test(price) ? 'minPrice: is zero' : 'minPrice: is not a price as decimal text';
    expect(issue({ minPrice: price })).toBe(expected);
    expect(issue({ maxPrice: price })).toBe(expected.replace('minPrice', 'maxPrice'));
  });

  test.each(['1', '0.5', '10', '0.05', `1${'0'.repeat(29)}`, `0.${'0'.repeat(29)}1`])(
    'with the price %j are taken',
    (price) => {
      expect(issue({ minPrice: price })).toBeUndefined();
    },
  );

  test.each([
    ['no market of the two', { ...sale, buyTokenId: 2 }, 'buyTokenId: the relayer has no market of LRC and USDT'],
    ['a token that is not listed', { ...sale, sellTokenId: 3 }, 'sellTokenId: the relayer lists no token 3'],
    ['another that is not', { ...sale, buyTokenId: 3 }, 'buyTokenId: the relayer lists no token 3'],
    [
      'a sale without its worst price',
      { ...unpriced, maxPrice: '1' },
      'minPrice: is missing: a sale needs its worst price',
    ],
    [
      'a purchase without its worst price',
      { ...purchase, maxPrice: undefined, minPrice: '1' },
      'maxPrice: is missing: a purchase needs its worst price',
    ],
    ['no price between', { ...sale, minPrice: '0.2', maxPrice: '0.19' }, 'minPrice: is above maxPrice'],
    ['an end that has come', { ...sale, validUntil: now }, 'validUntil: is not in the future'],
    ['more than 90 days', { ...sale, validUntil: now + 90 * DAY + 1 }, 'validUntil: is more than 90 days away'],
  ])('with %s are refused', async (_what, asked, message) => {
    await expect(draftOf(asked)).rejects.toMatchObject({ name: 'IntentError', message });
  });

  test.each([{ minPrice: '0.2', maxPrice: '0.20' }, { validUntil: now + 1 }, { validUntil: now + 90 * DAY }])(
    'at an edge are taken: %j',
    async (changes) => {
      expect((await draftOf({ ...sale, ...changes })).body).toMatchObject(changes);
    },
  );
});

describe('the draft', () => {
  test('has the limits, with both operations where none is named, and the market seen from its base', async () => {
    const { account: __, ...terms } = { ...sale, account: `0x${'1'.repeat(40)}` };
    const draft = await draftOf({ ...sale, account: `0x${'1'.repeat(40)}` });
    expect(draft.body).toEqual({ operations: ['submitOrder', 'cancelOrder'], ...terms });
    expect(draft.shown).toMatchObject({
      ...{ sell: { symbol: 'LRC' }, buy: { symbol: 'ETH' }, market: 'LRC-ETH', side: 'SELL', prices: {} },
    });
    expect((await draftOf(purchase)).shown).toMatchObject({
      ...{ sell: { symbol: 'ETH' }, buy: { symbol: 'LRC' }, market: 'LRC-ETH', side: 'BUY' },
    });
    const one = await draftOf({ ...sale, operations: ['cancelOrder'] });
    expect(one.body.operations).toEqual(['cancelOrder']);
  });
});

describe('the review', () => {
  test('of a sale tells every limit', async () => {
    expect(await reviewed({ ...sale, maxPrice: '0.1' })).toMatchInlineSnapshot(`
      "review_standingApproval total=2000 LRC symbol=text ETH
      - review_standingTotal: 2000 LRC | review_standingTotalNote | as pay
      - review_standingOrder: 500 LRC
      - review_standingMinPrice: 0.002 ETH per LRC, kept | review_standingPriceNote rate=bips 63
      - review_standingMaxPrice: 0.1 ETH per LRC, paid, kept | review_standingPriceNote rate=bips 63
      - review_standingRate: integer 10 | review_standingRateNote seconds=integer 60
      - review_standingUntil: time 1800086400 | review_standingUntilNote
      - review_standingCancel: text LRC-ETH
      ! notice standing-no-price: warning_standingNoPrice worst=0.002 ETH per LRC, kept
      ! note standing-unasked: warning_standingUnasked
      bound: 
      unbound: "
    `);
  });

  test('speaks of one second in the singular', async () => {
    expect(await reviewed({ ...sale, rate: { requests: 3, seconds: 1 } })).toContain(
      'review_standingRate: integer 3 | review_standingRateSecond\n',
    );
  });

  test('of a purchase turns no limit over', async () => {
    expect(await reviewed({ ...purchase, minPrice: '0.001' })).toMatchInlineSnapshot(`
      "review_standingApproval total=2000 ETH symbol=text LRC
      - review_standingTotal: 2000 ETH | review_standingTotalNote | as pay
      - review_standingOrder: 500 ETH
      - review_standingMinPrice: 0.001 ETH per LRC, kept | review_standingPriceNote rate=bips 63
      - review_standingMaxPrice: 0.003 ETH per LRC, paid, kept | review_standingPriceNote rate=bips 63
      - review_standingRate: integer 10 | review_standingRateNote seconds=integer 60
      - review_standingUntil: time 1800086400 | review_standingUntilNote
      - review_standingCancel: text LRC-ETH
      ! notice standing-no-price: warning_standingNoPrice worst=0.003 ETH per LRC, paid, kept
      ! note standing-unasked: warning_standingUnasked
      bound: 
      unbound: "
    `);
  });

  test('of cancellations alone has no amounts and no prices', async () => {
    expect(
      await reviewed({ ...sale, maxPrice: '1', operations: ['cancelOrder'] }, { getAmmBalances: pool('1000', '10') }),
    ).toMatchInlineSnapshot(`
      "review_standingCancelOnly market=text LRC-ETH
      - review_standingRate: integer 10 | review_standingRateNote seconds=integer 60
      - review_standingUntil: time 1800086400 | review_standingUntilNote
      - review_standingCancel: text LRC-ETH
      bound: 
      unbound: "
    `);
  });

  test('names no price that was not asked for, and splits no fields of a body', async () => {
    expect(await reviewed(sale)).not.toContain('review_standingMaxPrice');
    expect(await reviewed(purchase)).not.toContain('review_standingMinPrice');
    expect(standingApproval.review(await draftOf(sale), now)).toMatchObject({ bound: [], unbound: [] });
  });

  test('of orders alone has no word on cancellations', async () => {
    expect(await reviewed({ ...sale, operations: ['submitOrder'] })).not.toContain('review_standingCancel');
  });

  test('compares the worst price with the pool’s and the last trade’s, and warns by the first of them', async () => {
    const compared: Record<string, [asked: object, answers: Record<string, unknown>]> = {
      'a sale below the pool’s': [sale, { getAmmBalances: pool('100000', '300') }],
      'a sale at the pool’s': [sale, { getAmmBalances: pool('100000', '200') }],
      'a sale above the last trade’s': [sale, { getAmmBalances: [], getUserTrades: trade('0.0016') }],
      'a sale below both': [sale, { getAmmBalances: pool('100000', '400'), getUserTrades: trade('0.0025') }],
      'a purchase above the pool’s': [purchase, { getAmmBalances: pool('100000', '200') }],
      'a purchase above the last trade’s': [purchase, { getAmmBalances: [], getUserTrades: trade('0.0024') }],
      'a sale above the last trade’s while the pools are late': [sale, { getUserTrades: trade('0.0016') }],
      'a purchase at the last trade’s': [purchase, { getAmmBalances: [], getUserTrades: trade('0.003') }],
    };
    const lines: string[] = [];
    for (const [what, [asked, answers]] of Object.entries(compared)) {
      const review = (await reviewed(asked, answers)).split('\n');
      lines.push(what, ...review.filter((line) => /lastTrade|poolPrice|^!/.test(line)));
    }
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "a sale below the pool’s
      - review_poolPrice: 0.003 ETH per LRC | review_standingPoolWorse distance=bips 3333
      ! stop password standing-price-far: warning_standingPriceFar worst=0.002 ETH per LRC, kept loss=bips 3333 market=0.003 ETH per LRC, kept
      ! note standing-unasked: warning_standingUnasked
      a sale at the pool’s
      - review_poolPrice: 0.002 ETH per LRC | review_standingPoolBetter distance=bips 0
      ! note standing-unasked: warning_standingUnasked
      a sale above the last trade’s
      - review_lastTrade: 0.0016 ETH per LRC | review_standingTradeBetter distance=bips 2500 time=time 1800000000
      ! note standing-unasked: warning_standingUnasked
      a sale below both
      - review_poolPrice: 0.004 ETH per LRC | review_standingPoolWorse distance=bips 5000
      - review_lastTrade: 0.0025 ETH per LRC | review_standingTradeWorse distance=bips 2000 time=time 1800000000
      ! stop password standing-price-far: warning_standingPriceFar worst=0.002 ETH per LRC, kept loss=bips 5000 market=0.004 ETH per LRC, kept
      ! note standing-unasked: warning_standingUnasked
      a purchase above the pool’s
      - review_poolPrice: 0.002 ETH per LRC | review_standingPoolWorse distance=bips 3333
      ! stop password standing-price-far: warning_standingPriceFar worst=0.003 ETH per LRC, paid, kept loss=bips 3333 market=0.002 ETH per LRC, kept
      ! note standing-unasked: warning_standingUnasked
      a purchase above the last trade’s
      - review_lastTrade: 0.0024 ETH per LRC | review_standingTradeWorse distance=bips 2000 time=time 1800000000
      ! danger standing-price-far: warning_standingPriceFar worst=0.003 ETH per LRC, paid, kept loss=bips 2000 market=0.0024 ETH per LRC, kept
      ! note standing-unasked: warning_standingUnasked
      a sale above the last trade’s while the pools are late
      - review_lastTrade: 0.0016 ETH per LRC | review_standingTradeBetter distance=bips 2500 time=time 1800000000
      ! notice standing-no-price: warning_standingNoPrice worst=0.002 ETH per LRC, kept
      ! note standing-unasked: warning_standingUnasked
      a purchase at the last trade’s
      - review_lastTrade: 0.003 ETH per LRC | review_standingTradeBetter distance=bips 0 time=time 1800000000
      ! note standing-unasked: warning_standingUnasked"
    `);
  });
});

describe('limits that the user makes tighter', () => {
  const tighten = async (limits: StandingLimits, asked: object = { ...sale, maxPrice: '0.5' }, at = now) =>
    tightened(await draftOf(asked), limits, at);

  test('are what the user may name', () => {
    const issue = (limits: object) => standingLimits().safeParse(limits).error?.issues[0];
    expect(issue({})).toBeUndefined();
    expect(
      issue({
        ...{ orderVolume: '1', totalVolume: '1', minPrice: '1', maxPrice: '1', requests: 1, validUntil: now },
      }),
    ).toBeUndefined();
    expect(issue({ orderVolume: '0' })).toMatchObject({ message: 'is zero' });
    expect(issue({ minPrice: '0' })).toMatchObject({ message: 'is zero' });
    expect(issue({ requests: 0 })).toMatchObject({ path: ['requests'] });
    expect(issue({ more: 1 })).toMatchObject({ code: 'unrecognized_keys', keys: ['more'] });
  });

  test('stay as they were asked where none is named', async () => {
    const draft = await draftOf(sale);
    expect(tightened(draft, {}, now)).toStrictEqual(draft);
    expect(tightened(await draftOf(purchase), {}, now)).toStrictEqual(await draftOf(purchase));
  });

  test('take the place of what was asked', async () => {
    const limits = {
      ...{ orderVolume: '100', totalVolume: '1000', minPrice: '0.003', maxPrice: '0.4', validUntil: now + 60 },
    };
    const { body, shown } = await tighten({ ...limits, requests: 3 });
    expect(body).toEqual({
      ...(await draftOf(sale)).body,
      ...limits,
      rate: { requests: 3, seconds: 60 },
    });
    expect(shown).toEqual((await draftOf(sale)).shown);
  });

  test('may add a price where none was asked for', async () => {
    expect((await tighten({ maxPrice: '9' }, sale)).body).toMatchObject({ minPrice: '0.002', maxPrice: '9' });
    expect((await tighten({ minPrice: '0.001' }, purchase)).body).toMatchObject({
      minPrice: '0.001',
      maxPrice: '0.003',
    });
  });

  test('hold one order to what all of them may sell', async () => {
    expect((await tighten({ totalVolume: '400' })).body).toMatchObject({ orderVolume: '400', totalVolume: '400' });
    expect((await tighten({ totalVolume: '500' })).body).toMatchObject({ orderVolume: '500', totalVolume: '500' });
    expect((await tighten({ totalVolume: '501' })).body).toMatchObject({ orderVolume: '500', totalVolume: '501' });
  });

  const looser = 'is looser than what the site asked for';
  test.each<[string, StandingLimits, StandingLimits]>([
    ['totalVolume', { totalVolume: '2001' }, { totalVolume: '2000' }],
    ['orderVolume', { orderVolume: '501' }, { orderVolume: '500' }],
    ['requests', { requests: 11 }, { requests: 10 }],
    ['validUntil', { validUntil: now + DAY + 1 }, { validUntil: now + DAY }],
    ['minPrice', { minPrice: '0.0019' }, { minPrice: '0.0020' }],
    ['maxPrice', { maxPrice: '0.51' }, { maxPrice: '0.50' }],
  ])('are refused when %s would be looser', async (field, loose, same) => {
    await expect(tighten(loose)).rejects.toMatchObject({ name: 'IntentError', message: `${field}: ${looser}` });
    const { requests, ...others } = same;
    const expected = requests === undefined ? others : { rate: { requests } };
    expect((await tighten(same)).body).toMatchObject(expected);
  });

  test('are refused when no order could be answered any more', async () => {
    await expect(tighten({ minPrice: '0.51' })).rejects.toThrow('minPrice: is above maxPrice');
    expect((await tighten({ minPrice: '0.5' })).body).toMatchObject({ minPrice: '0.5', maxPrice: '0.5' });
    await expect(tighten({ validUntil: now + 60 }, sale, now + 60)).rejects.toThrow('validUntil: is not in the future');
    expect((await tighten({ validUntil: now + 60 }, sale, now + 59)).body.validUntil).toBe(now + 60);
  });
});
