import { describe, expect, test } from 'vitest';
import { ClockBehind, type Facts } from '../../src/operations/operation.ts';
import { submitOrder } from '../../src/operations/submitOrder.ts';
import { answers as samples } from '../protocol/samples.ts';
import { factsWith, issueOf as issue, now, tokens } from './support.ts';

const facts = factsWith();

const asked = {
  sellToken: { tokenId: 1, volume: '1000000000000000000' },
  buyToken: { tokenId: 0, volume: '210000000000000' },
};

const issueOf = (intent: unknown) => issue(submitOrder, intent);

describe('intent', () => {
  test.each([
    [
      { ...asked, sellToken: { tokenId: 1, volume: '1.5' } },
      'sellToken.volume: is not a decimal text without leading zeros',
    ],
    [{ ...asked, sellToken: { tokenId: 1, volume: '0' } }, 'sellToken.volume: is zero'],
    [{ ...asked, buyToken: { tokenId: 1, volume: '5' } }, 'buyToken.tokenId: is the token that is sold'],
    [{ ...asked, allOrNone: true }, 'allOrNone: only false is supported'],
    [{ ...asked, orderType: 'AMM' }, 'poolAddress: goes with orderType AMM, and only with it'],
    [{ ...asked, affiliate: 'me' }, 'affiliate: is not an account id'],
  ])('refuses %j', (intent, message) => {
    expect(issueOf(intent)).toBe(message);
  });

  test.each([0, 64, 1.5])('refuses maxFeeBips %s', (maxFeeBips) => {
    expect(issueOf({ ...asked, maxFeeBips })).toMatch(/^maxFeeBips: /);
  });

  test('refuses a field that no order has', () => {
    expect(submitOrder.intent().safeParse({ ...asked, storageId: 4 }).error?.issues[0]).toMatchObject({
      code: 'unrecognized_keys',
      keys: ['storageId'],
    });
  });

  test('refuses a clientOrderId of more than 120 bytes', () => {
    expect(issueOf({ ...asked, clientOrderId: 'é'.repeat(61) })).toMatch(/^clientOrderId: /);
    expect(issueOf({ ...asked, clientOrderId: 'e'.repeat(120) })).toBeUndefined();
  });
});

describe('prepare', () => {
  test('fills exchange, account, expiry and the highest fee of the document', async () => {
    const { body } = await submitOrder.prepare(submitOrder.intent().parse(asked), facts);
    expect(body).toEqual({
      ...asked,
      exchange: facts.exchangeAddress,
      accountId: 10005,
      allOrNone: false,
      fillAmountBOrS: false,
      validUntil: now + 30 * 86_400,
      maxFeeBips: 63,
    });
  });

  test('refuses an end that is over by the relayer’s clock, and asks for its time only when the end is near', async () => {
    const ahead = factsWith({ getTimestamp: () => ({ timestamp: (now + 600) * 1000 }) });
    const recent: string[] = [];
    const noting: Facts = {
      ...ahead,
      recent: async (name, ...of) => {
        recent.push(name);
        return ahead.recent(name, ...of);
      },
    };
    const endingIn = (seconds: number) =>
      submitOrder.prepare(submitOrder.intent().parse({ ...asked, validUntil: now + seconds }), noting);
    await expect(endingIn(300)).rejects.toEqual(new ClockBehind(600));
    expect(recent).toEqual(['getTimestamp']);
    await endingIn(86_401);
    expect(recent.filter((name) => name === 'getTimestamp')).toHaveLength(1);
  });

  test('tells who alone may fill the order, and warns of one who looks like somebody known', async () => {
    const taker = `0x1111${'2'.repeat(32)}1111` as const;
    const ada = { address: `0x${'1'.repeat(40)}`, label: 'Ada', source: 'book' as const };
    const reviewFor = async (to: string) =>
      submitOrder.review(
        await submitOrder.prepare(submitOrder.intent().parse({ ...asked, taker: to }), factsWith({}, [ada])),
        now,
      );
    const known = await reviewFor(ada.address);
    expect(known.rows.find(({ label }) => label.key === 'review_taker')?.note).toMatchObject({
      key: 'review_recipientBook',
      values: { name: { text: 'Ada' } },
    });
    expect(known.warnings.map(({ rule }) => rule)).toEqual(['price-uncompared']);
    const other = await reviewFor(taker);
    expect(other.rows.map(({ label }) => label.key)).toContain('review_looksLike');
    expect(other.warnings.map(({ rule }) => rule)).toEqual([
      'price-uncompared',
      'recipient-lookalike',
      'recipient-new',
    ]);
  });

  test('names nobody who alone may fill it when the taker is the zero address, as without one', async () => {
    const draftOf = (changes: object) =>
      submitOrder.prepare(submitOrder.intent().parse({ ...asked, ...changes }), facts);
    expect(await draftOf({ taker: `0x${'0'.repeat(40)}` })).toEqual(await draftOf({}));
  });

  test.each([
    [{ ...asked, validUntil: now }, 'validUntil: is not in the future'],
    [{ ...asked, sellToken: { tokenId: 9, volume: '1' } }, 'sellToken.tokenId: the relayer lists no token 9'],
    [{ ...asked, buyToken: { tokenId: 9, volume: '1' } }, 'buyToken.tokenId: the relayer lists no token 9'],
    [
      { ...asked, sellToken: { tokenId: 2, volume: '1' } },
      'buyToken.tokenId: the relayer has no market of USDT and ETH',
    ],
  ])('names the field of %j', async (intent, message) => {
    await expect(submitOrder.prepare(submitOrder.intent().parse(intent), facts)).rejects.toThrow(message);
  });
});

describe('review', () => {
  test('says what is paid, what is received at least, at which price, fee and expiry', async () => {
    const draft = await submitOrder.prepare(submitOrder.intent().parse(asked), facts);
    const { sentence, rows, warnings } = submitOrder.review(draft, now);
    const pay = { kind: 'amount', volume: '1000000000000000000', token: tokens[1] };
    // After the highest fee.
    const receive = { kind: 'amount', volume: '208677000000000', token: tokens[0], least: true };
    expect(sentence).toEqual({ key: 'review_submitOrder', values: { pay, receive } });
    expect(rows.map(({ label, value }) => [label.key, value])).toEqual([
      ['review_pay', pay],
      ['review_receive', receive],
      ['review_price', { kind: 'price', value: '0.00021', exact: true, quote: 'ETH', base: 'LRC' }],
      ['review_worstFee', { kind: 'bips', bips: 63 }],
      ['review_expires', { kind: 'time', seconds: now + 30 * 86_400 }],
    ]);
    expect(warnings.map(({ rule }) => rule)).toEqual(['price-uncompared']);
  });

  test('names an amount as the highest fee only where no fill can buy more', async () => {
    const draft = await submitOrder.prepare(submitOrder.intent().parse({ ...asked, fillAmountBOrS: true }), facts);
    const row = submitOrder.review(draft, now).rows.find(({ label }) => label.key === 'review_worstFee');
    expect(row?.value).toEqual({ kind: 'amount', volume: '1323000000000', token: tokens[0] });
  });

  describe('beside the market', () => {
    /** The pool gives 0.00021 ETH for an LRC. */
    const pool = [
      { tokenId: 1, volume: '1000000' },
      { tokenId: 0, volume: '210' },
    ];
    const market = (limits: { least: string; usual: string; overdueAt?: number }, risky = false) =>
      factsWith({
        getAmmBalances: () => [
          {
            poolName: 'P',
            poolAddress: facts.exchangeAddress,
            pooled: pool,
            lp: { tokenId: 100, volume: '1' },
            risky,
          },
        ],
        getOrderUserRateAmount: ({ query }) => ({
          amounts: [
            {
              tokenSymbol: query?.market === 'LRC-ETH' ? 'ETH' : '',
              baseOrderInfo: { minAmount: limits.least },
              userOrderInfo: { minAmount: limits.usual },
            },
          ],
          cacheOverdueAt: limits.overdueAt ?? now * 1000,
        }),
      });
    const reviewOf = async (volume: string, limits: { least: string; usual: string; overdueAt?: number }) => {
      const intent = submitOrder.intent().parse({ ...asked, buyToken: { tokenId: 0, volume } });
      return submitOrder.review(await submitOrder.prepare(intent, market(limits)), now);
    };
    const low = { least: '1', usual: '1' };

    /** The account traded once at 0.00021 ETH for an LRC, an hour ago. */
    const traded = (price: string) =>
      factsWith({
        getUserTrades: () => ({
          totalNum: 1,
          trades: [
            [String((now - 3600) * 1000), '7', 'SELL', '1', price, 'LRC-ETH', '0', '1', '1', '10005', '1', '0', '0x1'],
          ],
        }),
      });

    test.each([
      ['the pools are late', null, undefined, [['price-uncompared', 'danger']]],
      ['the pools are late, whatever the last trade was', null, '0.00021', [['price-uncompared', 'danger']]],
      ['there is no pool, and the account never traded', [], undefined, [['price-uncompared', 'note']]],
      ['there is no pool, but a last trade', [], '0.00021', []],
    ] as const)('an order whose price is compared with nothing says so: %s', async (_when, pools, price, rules) => {
      const facts = price === undefined ? factsWith() : traded(price);
      const recent: Facts['recent'] = async (name, input, age) =>
        name === 'getAmmBalances' ? (pools as never) : facts.recent(name, input, age);
      const draft = await submitOrder.prepare(submitOrder.intent().parse(asked), { ...facts, recent });
      const { warnings } = submitOrder.review(draft, now);
      expect(warnings.map(({ rule, severity }) => [rule, severity])).toEqual(rules);
    });

    test.each([
      ['as it', '210000000000000', undefined, [['price-uncompared', 'note']]],
      ['a little less', '205800000000000', undefined, [['price-uncompared', 'note']]],
      ['much more', '420000000000000', undefined, [['price-uncompared', 'note']]],
      ['a hundredth', '2100000000000', undefined, [['price-far', 'stop']]],
      ['a hundredth, as an old trade,', '2100000000000', '0.0000021', [['price-far', 'stop']]],
      ['as it, a tenth of an old trade,', '210000000000000', '0.0021', [['price-far', 'stop']]],
      ['as it, and as an old trade,', '210000000000000', '0.00021', [['price-uncompared', 'note']]],
    ] as const)('a risky pool warns of a bad price and makes none fair: %s', async (_of, volume, price, rules) => {
      const intent = submitOrder.intent().parse({ ...asked, buyToken: { tokenId: 0, volume } });
      const [pools, trades] = [market(low, true), price === undefined ? factsWith() : traded(price)];
      const recent: Facts['recent'] = (name, input, age) =>
        (name === 'getUserTrades' ? trades : pools).recent(name, input, age);
      const draft = await submitOrder.prepare(intent, { ...pools, recent });
      const { rows, warnings } = submitOrder.review(draft, now);
      expect(rows.some(({ label }) => label.key === 'review_poolPrice')).toBe(false);
      expect(warnings.map(({ rule, severity }) => [rule, severity])).toEqual(rules);
    });

    test.each([
      [{ tradeChannel: 'AMM_POOL', maxFeeBips: 19 }, ['rate-refused']],
      [{ tradeChannel: 'AMM_POOL', maxFeeBips: 20 }, []],
      [{ orderType: 'AMM', poolAddress: facts.exchangeAddress, maxFeeBips: 19 }, ['pool-unbound', 'rate-refused']],
      [{ orderType: 'AMM', poolAddress: facts.exchangeAddress, maxFeeBips: 20 }, ['pool-unbound']],
      [{ maxFeeBips: 19 }, []],
    ] as const)(
      'an order that names the pool or its channel has to allow the fee of the pool: %j',
      async (changes, rules) => {
        const given = market(low);
        const pools = [
          { ...samples.getAmmPools.pools[0], tokens: { pooled: [1, 2], lp: 101 }, feeBips: 90 },
          { ...samples.getAmmPools.pools[0], tokens: { pooled: [0, 1], lp: 102 }, status: 1, feeBips: 90 },
          { ...samples.getAmmPools.pools[0], tokens: { pooled: [0, 1], lp: 100 }, status: 7, feeBips: 20 },
        ];
        const recent: Facts['recent'] = async (name, input, age) =>
          name === 'getAmmPools' ? ({ pools } as never) : given.recent(name, input, age);
        const intent = submitOrder.intent().parse({ ...asked, ...changes });
        const { warnings } = submitOrder.review(await submitOrder.prepare(intent, { ...given, recent }), now);
        expect(warnings.map(({ rule }) => rule)).toEqual(rules);
      },
    );

    test.each([
      ['sells', 1, '1000000000000000000', '210000000000000', 'review_lastTradeBetter', 0, []],
      ['sells for less', 1, '1000000000000000000', '199000000000000', 'review_lastTradeWorse', 523, ['price-far']],
      ['buys for less', 0, '199000000000000', '1000000000000000000', 'review_lastTradeBetter', 552, []],
      ['buys for more', 0, '231000000000000', '1000000000000000000', 'review_lastTradeWorse', 909, ['price-far']],
    ])(
      'shows the distance from the last trade of an order that %s',
      async (_what, tokenId, sold, bought, key, bips, rules) => {
        const intent = submitOrder.intent().parse({
          sellToken: { tokenId, volume: sold },
          buyToken: { tokenId: 1 - tokenId, volume: bought },
        });
        const review = submitOrder.review(await submitOrder.prepare(intent, traded('0.00021')), now);
        expect(review.rows.find(({ label }) => label.key === 'review_lastTrade')).toEqual({
          label: { key: 'review_lastTrade' },
          value: { kind: 'price', value: '0.00021', exact: true, quote: 'ETH', base: 'LRC' },
          note: { key, values: { distance: { kind: 'bips', bips }, time: { kind: 'time', seconds: now - 3600 } } },
        });
        expect(review.warnings.map(({ rule }) => rule)).toEqual(rules);
      },
    );

    test.each(['0.00035669', '3.5669E-4'])(
      'warns of a price far below that of the last trade, which the relayer writes as %s',
      async (price) => {
        // Sells an LRC for 0.0001 ETH.
        const intent = submitOrder.intent().parse({
          sellToken: { tokenId: 1, volume: '1000000000000000000' },
          buyToken: { tokenId: 0, volume: '100000000000000' },
        });
        const review = submitOrder.review(await submitOrder.prepare(intent, traded(price)), now);
        expect(review.rows.find(({ label }) => label.key === 'review_lastTrade')).toMatchObject({
          value: { kind: 'price', value: '0.00035669' },
          note: { key: 'review_lastTradeWorse', values: { distance: { kind: 'bips', bips: 7196 } } },
        });
        expect(review.warnings).toMatchObject([{ rule: 'price-far', severity: 'stop' }]);
      },
    );

    test.each(['0', '', '1e99', '0e5', '-1', 'x'])('shows no trade at the price %j', async (price) => {
      const review = submitOrder.review(
        await submitOrder.prepare(submitOrder.intent().parse(asked), traded(price)),
        now,
      );
      expect(review.rows.some(({ label }) => label.key === 'review_lastTrade')).toBe(false);
    });

    test.each([
      ['210000000000000', 'review_priceBetter', 0, []],
      ['231000000000000', 'review_priceBetter', 1000, []],
      ['232000000000000', 'review_priceBetter', 1047, ['price-unlikely']],
      ['205800000000000', 'review_priceWorse', 200, []],
      ['199000000000000', 'review_priceWorse', 523, ['price-far']],
    ])('shows the distance of %s from the pool', async (volume, key, bips, rules) => {
      const review = await reviewOf(volume, low);
      const row = review.rows.find(({ label }) => label.key === 'review_poolPrice');
      expect(row?.value).toEqual({ kind: 'price', value: '0.00021', exact: true, quote: 'ETH', base: 'LRC' });
      expect(row?.note).toEqual({ key, values: { distance: { kind: 'bips', bips } } });
      expect(review.warnings.map(({ rule }) => rule)).toEqual(rules);
    });

    test('a price far below the market says what is lost, in the bought token', async () => {
      const { warnings } = await reviewOf('105000000000000', low);
      expect(warnings).toEqual([
        {
          rule: 'price-far',
          severity: 'stop',
          password: true,
          text: {
            key: 'warning_priceFar',
            values: {
              share: { kind: 'bips', bips: 5000 },
              loss: { kind: 'amount', volume: '105000000000000', token: tokens[0] },
            },
          },
        },
      ]);
    });

    test.each([
      ['between the two least amounts', { least: '1', usual: '210000000000001' }, ['amount-at-high-rate']],
      ['below both', { least: '210000000000001', usual: '310000000000001' }, ['amount-below-minimum']],
      ['with numbers that are overdue', { ...low, overdueAt: now - 1 }, ['data-overdue']],
      ['with numbers that are overdue by milliseconds', { ...low, overdueAt: now * 1000 - 1 }, ['data-overdue']],
      ['with numbers that are current', { ...low, overdueAt: now }, []],
    ])('warns of an amount %s', async (_what, limits, rules) => {
      const review = await reviewOf('210000000000000', limits);
      expect(review.warnings.map(({ rule }) => rule)).toEqual(rules);
      expect(review.rows.find(({ label }) => label.key === 'review_leastAmount')?.value).toMatchObject({
        volume: limits.usual,
      });
    });
  });

  test('warns of a sale below the least amount that the exchange lists for its token', async () => {
    const orderAmounts = { minimum: '1000000000000000001', maximum: '9000000000000000000', dust: '1' };
    const given = factsWith({ getTokens: () => [{ ...samples.getTokens[0], tokenId: 1, orderAmounts }] });
    const { warnings } = submitOrder.review(await submitOrder.prepare(submitOrder.intent().parse(asked), given), now);
    expect(warnings).toMatchObject([
      { rule: 'price-uncompared' },
      {
        rule: 'amount-below-minimum',
        text: { values: { limit: { volume: '1000000000000000001', token: tokens[1] } } },
      },
    ]);
  });

  test('warns of an expiry beyond 60 days', async () => {
    const intent = submitOrder.intent().parse({ ...asked, validUntil: now + 61 * 86_400 });
    const draft = await submitOrder.prepare(intent, facts);
    expect(submitOrder.review(draft, now).warnings.map(({ rule }) => rule)).toEqual([
      'expiry-long',
      'price-uncompared',
    ]);
  });
});
