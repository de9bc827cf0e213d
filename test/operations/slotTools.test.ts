import { describe, expect, test } from 'vitest';
import { cancelOrder } from '../../src/operations/cancelOrder.ts';
import { hardCancel } from '../../src/operations/hardCancel.ts';
import type { Facts, KnownOrder } from '../../src/operations/operation.ts';
import { replaceOrder } from '../../src/operations/replaceOrder.ts';
import { submitOneOf } from '../../src/operations/submitOneOf.ts';
import { answers } from '../protocol/samples.ts';
import { type Answers, factsWith, issueOf, keys, refusalOf, rowsOf, sentBody } from './support.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;
const SLOTS = 16_384;
const lrc = { tokenId: 1, volume: '100000000000000000000' };
const eth = { tokenId: 0, volume: '50000000000000000' };

const old: KnownOrder = {
  hash: HASH,
  clientOrderId: '',
  market: 'LRC-ETH',
  side: 'SELL',
  status: 'processing',
  baseAmount: lrc.volume,
  quoteAmount: eth.volume,
  baseFilled: '0',
};
const facts = (changes: Partial<KnownOrder> = {}, signed = true): Facts => ({
  ...factsWith({}),
  order: async () => ({ ...old, ...changes }),
  signedOrder: async () =>
    signed ? { storageId: 40, sellTokenId: 1, buyTokenId: 0, sellVolume: lrc.volume, buyVolume: eth.volume } : null,
});

/** The least that may be bought; it decides about a cancellation for good. */
const LEAST = 1_000_000n;
const listed = (pools: readonly object[]) => ({
  getTokens: () => [...answers.getTokens, { ...answers.getTokens[0], tokenId: 0, symbol: 'ETH' }],
  getAmmBalances: () => pools,
  getOrderUserRateAmount: () => ({
    amounts: [{ tokenSymbol: 'ETH', baseOrderInfo: { minAmount: String(LEAST) } }],
    cacheOverdueAt: 0,
  }),
});
/** 2 ETH for 5 LRC. */
const pool = {
  ...answers.getAmmBalances[0],
  pooled: [
    { tokenId: 1, volume: '500000000' },
    { tokenId: 0, volume: '200000000' },
  ],
};

test.each([
  ['cancelOrder', cancelOrder, 'orderHash', {}],
  ['replaceOrder', replaceOrder, 'replaces', { sellToken: lrc, buyToken: eth }],
  ['hardCancel', hardCancel, 'orderHash', { sellVolume: lrc.volume, buyVolume: eth.volume }],
] as const)(
  '%s finds an order by a hash that its relayer printed without leading zeros',
  async (_name, operation, field, rest) => {
    const whole = `0x${'0'.repeat(3)}${'aB'.repeat(30)}c`.toLowerCase();
    const asked: string[] = [];
    const named: Facts = {
      ...facts(),
      async order(key) {
        if ('hash' in key) asked.push(key.hash);
        return { ...old, hash: whole };
      },
      async signedOrder(hash) {
        asked.push(hash);
        return facts().signedOrder(hash);
      },
    };
    const short = `0x${'aB'.repeat(30)}c`;
    expect(await refusalOf(operation as never, { [field]: short, ...rest }, named)).toBe('accepted');
    expect(new Set(asked)).toEqual(new Set([whole]));
    expect(issueOf(operation as never, { [field]: '0x', ...rest })).toMatch(`${field}: is not a hash`);
  },
);

test.each([
  ['replaceOrder', replaceOrder, { replaces: HASH, sellToken: lrc, buyToken: eth }],
  ['hardCancel', hardCancel, { orderHash: HASH, sellVolume: lrc.volume, buyVolume: eth.volume }],
] as const)('%s signs an order in the slot of the old one', async (_name, operation, intent) => {
  const draft = await operation.prepare(operation.intent().parse(intent) as never, facts());
  expect(operation.storageSlot(draft as never)).toEqual({ tokenId: 1, parity: 'order', reuse: 40 });
  const review = operation.review(draft as never, facts().now);
  expect(rowsOf(review)).toMatchObject({
    review_replacedHash: { kind: 'hex', hex: HASH },
    ...(operation === hardCancel
      ? { review_orderPays: { kind: 'amount' }, review_orderReceives: { kind: 'amount' } }
      : { review_replacedOrder: { kind: 'amount' } }),
    review_replacedSlot: { kind: 'integer', value: 40 },
  });
  const signed = await operation.sign(draft as never, 40 + SLOTS, { baseUrl: '', chainId: 1 }, keys);
  const sent = sentBody(signed);
  expect(sent).toMatchObject({ storageId: 40 + SLOTS, sellToken: lrc, buyToken: eth });
});

test.each([
  ['the amounts', { baseAmount: '1', quoteAmount: '2' }],
  ['the side', { side: 'BUY' }],
] as const)('shows what was signed when the relayer lies about %s of the old order', async (_what, lie) => {
  const amounts = { pays: { volume: lrc.volume }, receives: { volume: eth.volume } };
  const ended = await hardCancel.prepare(
    { orderHash: HASH, sellVolume: lrc.volume, buyVolume: eth.volume },
    facts(lie),
  );
  expect(rowsOf(hardCancel.review(ended, facts().now))).toMatchObject({
    ...{ review_orderPays: amounts.pays, review_orderReceives: amounts.receives },
  });
  const replaced = await replaceOrder.prepare({ replaces: HASH, sellToken: lrc, buyToken: eth }, facts(lie));
  const row = replaceOrder.review(replaced, facts().now).rows.find(({ label }) => label.key === 'review_replacedOrder');
  expect(row).toMatchObject({ value: amounts.pays, note: { values: { receives: amounts.receives } } });
});

test('shows the old order in its own tokens when the new one buys another', async () => {
  const signed = { storageId: 40, sellTokenId: 1, buyTokenId: 2, sellVolume: lrc.volume, buyVolume: '7' };
  const draft = await replaceOrder.prepare(
    { replaces: HASH, sellToken: lrc, buyToken: eth },
    { ...facts(), signedOrder: async () => signed },
  );
  const row = replaceOrder.review(draft, facts().now).rows.find(({ label }) => label.key === 'review_replacedOrder');
  expect(row?.note?.values).toMatchObject({ receives: { volume: '7', token: { tokenId: 2 } } });
  const unknown = { ...facts(), signedOrder: async () => ({ ...signed, buyTokenId: 99 }) };
  const replace = { replaces: HASH, sellToken: lrc, buyToken: eth };
  expect(await refusalOf(replaceOrder, replace, unknown)).toBe('replaces: the relayer lists no token 99');
});

test('says whether a part of the old order is filled', async () => {
  const noteOf = async (baseFilled: string) => {
    const draft = await replaceOrder.prepare({ replaces: HASH, sellToken: lrc, buyToken: eth }, facts({ baseFilled }));
    return replaceOrder.review(draft, facts().now).rows.find(({ label }) => label.key === 'review_market')?.note?.key;
  };
  expect([await noteOf('0'), await noteOf('1')]).toEqual(['review_replacedUnfilled', 'review_replacedFilled']);
});

describe('the filled part of the old order', () => {
  const part = (volume: string, parts: bigint) => String((BigInt(volume) * parts) / 10n);
  const sale = { baseFilled: part(lrc.volume, 6n), quoteFilled: part(eth.volume, 6n) };
  const purchase = { side: 'BUY', baseFilled: sale.quoteFilled, quoteFilled: sale.baseFilled } as const;
  const reviewed = async (filled: Partial<KnownOrder>, parts: bigint, terms: object = {}, signed = {}) => {
    const intent = {
      replaces: HASH,
      sellToken: { ...lrc, volume: part(lrc.volume, parts) },
      buyToken: { ...eth, volume: part(eth.volume, parts) },
      ...terms,
    };
    const signedOrder = async () => ({ ...(await facts().signedOrder(HASH)), ...signed }) as never;
    const draft = await replaceOrder.prepare(intent, { ...facts(filled), signedOrder });
    const { rows, warnings } = replaceOrder.review(draft, facts().now);
    const more = warnings.find(({ rule }) => rule === 'replaced-more');
    return { rows: rows.map(({ label }) => label.key), value: rowsOf({ rows } as never).review_filledSoFar, more };
  };

  test.each([
    ['of a sale', sale, {}, 1],
    ['of a purchase that ends by paying', purchase, {}, 1],
    ['of a sale that ends by receiving', sale, { fillAmountBOrS: true }, 0],
    ['of a purchase', purchase, { fillAmountBOrS: true }, 0],
  ] as const)(
    '%s is shown behind fee and expiry, with a warning when the new one adds to it',
    async (_of, filled, terms, tokenId) => {
      const { volume } = tokenId === 1 ? lrc : eth;
      const left = await reviewed(filled, 4n, terms);
      expect(left.more).toBeUndefined();
      expect(left.value).toMatchObject({ volume: part(volume, 6n), token: { tokenId }, least: true });
      expect(left.rows.indexOf('review_filledSoFar')).toBeGreaterThan(left.rows.indexOf('review_expires'));
      expect((await reviewed(filled, 10n, terms)).more).toMatchObject({
        severity: 'notice',
        text: { values: { total: { volume: part(volume, 16n), token: { tokenId } }, whole: { volume } } },
      });
    },
  );

  test('is what was paid when the new order receives another token', async () => {
    const { more, value } = await reviewed(sale, 10n, { fillAmountBOrS: true }, { buyTokenId: 2 });
    expect([value, more?.text.values?.total]).toMatchObject([{ token: { tokenId: 1 } }, { token: { tokenId: 1 } }]);
  });

  test('is not spoken of while there is none, and not known of drafts of earlier versions', async () => {
    for (const filled of [{ baseFilled: '0', quoteFilled: '0' }, { side: 'BUY', baseFilled: '7' } as const]) {
      const { more, value } = await reviewed(filled, 20n);
      expect([more, value]).toEqual([undefined, undefined]);
    }
  });
});

test.each([
  ['it is open', { status: 'processing' }, true],
  ['a part of it filled meanwhile', { baseFilled: '1' }, true],
  ['the relayer does not know it any more', null, true],
  ['it was filled meanwhile', { status: 'processed' }, false],
] as const)(
  'an order is cancelled for good only while there is something to end: %s',
  async (_when, changes, holds) => {
    const intent = { orderHash: HASH, sellVolume: lrc.volume, buyVolume: eth.volume };
    const draft = await hardCancel.prepare(intent, facts());
    const { status, baseFilled } = { ...old, ...changes };
    const order = { ...answers.getOrder, status, volumes: { ...answers.getOrder.volumes, baseFilled } };
    const reads = { ...factsWith({}), find: async () => (changes === null ? null : order) } as unknown as Facts;
    const recheck = hardCancel.recheck?.(draft, reads);
    if (holds) await recheck;
    else await expect(recheck).rejects.toMatchObject({ name: 'FactsChanged', text: { key: 'problem_orderMoved' } });
  },
);

test('an order that expired more than seven days ago is not ended for good: no block can have it any more', async () => {
  const intent = { orderHash: HASH, sellVolume: lrc.volume, buyVolume: eth.volume };
  const until = (validUntil: number) =>
    ({ ...facts(), signedOrder: async () => ({ ...(await facts().signedOrder(HASH)), validUntil }) }) as Facts;
  const weekAgo = facts().now - 7 * 86_400;
  expect(await refusalOf(hardCancel, intent, until(weekAgo))).toBe('accepted');
  expect(await refusalOf(hardCancel, intent, until(weekAgo - 1))).toBe(
    'orderHash: expired over seven days ago: no block can have it',
  );
  await expect(hardCancel.prepare(intent, until(weekAgo - 1))).rejects.toMatchObject({
    text: { key: 'problem_orderVoid' },
  });
});

test('the review of orders in one slot says what the exchange does not exclude', async () => {
  const replaced = await replaceOrder.prepare({ replaces: HASH, sellToken: lrc, buyToken: eth }, facts());
  const rulesOf = ({ warnings }: { warnings: readonly { rule: string }[] }) => warnings.map(({ rule }) => rule);
  expect(rulesOf(replaceOrder.review(replaced, facts().now))).toContain('replaced-rising');
  // Its order frees what it holds before the new one needs it, so nothing is compared with the
  // balance of this moment.
  expect(replaceOrder.review(replaced, facts().now).rows.filter(({ leaves }) => leaves)).toEqual([]);
  const orders = [
    { sellToken: lrc, buyToken: eth },
    { sellToken: lrc, buyToken: { ...eth, volume: '1' } },
  ];
  const several = await submitOneOf.prepare(submitOneOf.intent().parse({ orders }), facts());
  expect(rulesOf(submitOneOf.review(several, facts().now))).toContain('one-of-rising');
});

test.each([
  ['a permanent cancellation', hardCancel, { orderHash: HASH }, 'processed'],
  ['a replacement', replaceOrder, { replaces: HASH, sellToken: lrc, buyToken: eth }, 'processed'],
  ['a replacement', replaceOrder, { replaces: HASH, sellToken: lrc, buyToken: eth }, 'cancelled'],
  ['a cancellation', cancelOrder, { orderHash: HASH }, 'expired'],
] as const)('%s of an order that has ended says so in words', async (_, operation, intent, status) => {
  await expect(operation.prepare(intent as never, facts({ status }))).rejects.toMatchObject({
    text: { key: 'problem_orderMoved' },
  });
});

test('what has no slot of this wallet, or nothing left to end, is refused with the field', async () => {
  const replace = { replaces: HASH, sellToken: lrc, buyToken: eth };
  expect(await refusalOf(hardCancel, { orderHash: HASH }, facts({}, false))).toBe(
    'orderHash: was not signed by this wallet, so its slot is not known for certain',
  );
  expect(await refusalOf(hardCancel, { orderHash: HASH }, facts({ status: 'processed' }))).toBe(
    'orderHash: the order is filled',
  );
  const newer = { ...facts(), signedOrder: async () => ({ ...(await facts().signedOrder(HASH)), newer: '0x8' }) };
  for (const [operation, intent, field] of [
    [replaceOrder, replace, 'replaces'],
    [hardCancel, { orderHash: HASH }, 'orderHash'],
  ] as const)
    expect(await refusalOf(operation, intent, newer as never)).toBe(
      `${field}: the newer order 0x8 is open in its slot and would end too; name that one, which ends both, or wait for its end`,
    );
  await expect(replaceOrder.prepare(replace as never, newer as never)).rejects.toMatchObject({
    text: { key: 'problem_newerInSlot', values: { hash: { kind: 'hex', hex: '0x8' } } },
  });
  expect(issueOf(hardCancel, { orderHash: HASH, sellVolume: '0', buyVolume: '1' })).toBe('sellVolume: is zero');
  expect(issueOf(hardCancel, { orderHash: HASH, sellVolume: '1', buyVolume: '0' })).toBe('buyVolume: is zero');
  const withoutPool = { ...facts(), read: factsWith(listed([])).read };
  await expect(hardCancel.prepare({ orderHash: HASH }, withoutPool)).rejects.toMatchObject({
    text: { key: 'problem_noPool' },
  });
});

describe('the little trade of a cancellation for good', () => {
  /** Facts that a question can do without are not there. */
  const factsOver = (given: Answers): Facts => ({ ...facts(), read: factsWith(given).read, recent: async () => null });

  test('is large enough for the exchange, at the pool’s price', async () => {
    const { body } = await hardCancel.prepare({ orderHash: HASH }, factsOver(listed([pool])));
    expect(BigInt(body.buyToken.volume)).toBeGreaterThan(LEAST);
    expect(BigInt(body.sellToken.volume)).toBe(2_750_003n);
  });

  test.each(['getTokens', 'getAmmBalances', 'getOrderUserRateAmount'] as const)(
    'is not guessed when the relayer does not answer %s',
    async (name) => {
      const silent = {
        ...listed([pool]),
        [name]: () => {
          throw new Error('no answer');
        },
      };
      await expect(hardCancel.prepare({ orderHash: HASH }, factsOver(silent))).rejects.toThrow('no answer');
    },
  );
});

describe('a cancellation for good that the relayer makes dear', () => {
  const of = async (sellVolume: string, buyVolume: string, held = String(10n ** 30n)) => {
    const given: Answers = {
      getBalances: () => [{ tokenId: 1, total: held, locked: '0', pending: { withdraw: '0', deposit: '0' } }],
    };
    const draft = await hardCancel.prepare(
      { orderHash: HASH, sellVolume, buyVolume },
      { ...facts(), recent: factsWith(given).recent },
    );
    return hardCancel.review(draft, facts().now).warnings.filter(({ rule }) => rule.startsWith('burn-'));
  };
  // 100 LRC for 0.05 ETH was signed.
  const fair = (BigInt(eth.volume) * 95n) / 100n;

  test('by its size: more than a twentieth of the balance is a danger and needs the password', async () => {
    const held = BigInt(lrc.volume) * 20n;
    expect(await of(lrc.volume, eth.volume, String(held))).toEqual([]);
    const [warning] = await of(lrc.volume, eth.volume, String(held - 1n));
    expect(warning).toMatchObject({ rule: 'burn-large', severity: 'danger', password: true });
    expect(warning?.text.values).toMatchObject({
      amount: { volume: lrc.volume },
      balance: { volume: String(held - 1n) },
    });
  });

  test('by its price: more than 5 % below the price of the old order is a danger and needs the password', async () => {
    expect(await of(lrc.volume, String(fair))).toEqual([]);
    expect(await of(lrc.volume, String(fair - BigInt(eth.volume) / 10_000n))).toMatchObject([
      { rule: 'burn-price', severity: 'danger', password: true, text: { values: { loss: { bips: 501 } } } },
    ]);
  });

  test('by its size: a balance that came too late is a danger of its own and needs the password', async () => {
    const draft = await hardCancel.prepare(
      { orderHash: HASH, sellVolume: lrc.volume, buyVolume: eth.volume },
      { ...facts(), recent: async () => null },
    );
    expect(hardCancel.review(draft, facts().now).warnings).toMatchObject([
      {
        rule: 'burn-unmeasured',
        severity: 'danger',
        password: true,
        text: { values: { amount: { volume: lrc.volume } } },
      },
      { rule: 'price-uncompared', severity: 'danger' },
    ]);
  });

  test.each([
    ['no more than', 1n, ['review_orderPays', 'review_orderReceives'], []],
    ['more than', 2n, ['review_pay', 'review_receive'], ['review_pay']],
  ] as const)(
    'draws large the trade or the order that ends: it sells %s the order',
    async (_how, times, large, leave) => {
      const draft = await hardCancel.prepare(
        { orderHash: HASH, sellVolume: String(BigInt(lrc.volume) * times), buyVolume: eth.volume },
        facts(),
      );
      const { rows } = hardCancel.review(draft, facts().now);
      expect(rows.filter(({ emphasis }) => emphasis).map(({ label }) => label.key)).toEqual(large);
      expect(rows.filter(({ leaves }) => leaves).map(({ label }) => label.key)).toEqual(leave);
    },
  );

  test('by its least amount: more than the old order sold is refused', async () => {
    const tokens = listed([pool])
      .getTokens()
      .map((token) =>
        token.tokenId === 1
          ? { ...token, orderAmounts: { maximum: '0', dust: '0', minimum: String(BigInt(lrc.volume) + 1n) } }
          : token,
      );
    const lying = { ...facts(), read: factsWith({ ...listed([pool]), getTokens: () => tokens }).read };
    expect(await refusalOf(hardCancel, { orderHash: HASH }, lying)).toMatch(
      /^sellVolume: is missing: the exchange takes no less than \d+, and the order sells 100000000000000000000; name both/,
    );
  });
});

test('one of several shows every order, and every field that is sent stands in one list', async () => {
  const intent = {
    orders: [
      { sellToken: lrc, buyToken: eth, orderType: 'TAKER_ONLY' },
      { sellToken: lrc, buyToken: eth },
    ],
  };
  const draft = await submitOneOf.prepare(submitOneOf.intent().parse(intent), facts());
  const review = submitOneOf.review(draft, facts().now);
  expect(review.rows.filter(({ label }) => label.key === 'review_pay')).toHaveLength(2);
  expect(review.rows.filter(({ emphasis }) => emphasis === 'pay')).toHaveLength(1);
  expect(review.bound.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['sellToken.volume', '2.sellToken.volume', 'buyToken.volume', '2.buyToken.volume']),
  );
  expect(review.unbound.map(({ path }) => path).sort()).toEqual(['2.allOrNone', 'allOrNone', 'orderType']);
  const next = submitOneOf.alternatives?.next(draft);
  expect(next?.body.orderType).toBeUndefined();
  expect(next && submitOneOf.alternatives?.next(next)).toBeNull();
  expect(issueOf(submitOneOf, { orders: [intent.orders[0]] })).toContain('orders');
});
