import { describe, expect, test } from 'vitest';
import { cancelAllOrders } from '../../src/operations/cancelAllOrders.ts';
import { cancelOrder } from '../../src/operations/cancelOrder.ts';
import { hardCancel } from '../../src/operations/hardCancel.ts';
import type { Facts, KnownOrder } from '../../src/operations/operation.ts';
import { replaceOrder } from '../../src/operations/replaceOrder.ts';
import { submitOneOf } from '../../src/operations/submitOneOf.ts';
import { submitOrder } from '../../src/operations/submitOrder.ts';
import { asksPassword } from '../../src/operations/warnings.ts';
import { answers as samples } from '../protocol/samples.ts';
import { CONTRACT, NFT_DATA, nftInfo } from './nftSupport.ts';
import {
  ACCOUNT_ID,
  type Answers,
  FRIEND,
  factsWith,
  issueOf,
  keys,
  now,
  refusalOf,
  rowsOf,
  sentBody,
  tokens,
} from './support.ts';
import { expectStorageIdNeeded, noting, submittedWith, textOf, told } from './told.ts';

const HASH = `0x${'ab'.repeat(32)}` as const;
const OTHER = `0x${'cd'.repeat(32)}` as const;
const lrc = { tokenId: 1, volume: '1000000' };
const eth = { tokenId: 0, volume: '2001' };
const asked = { sellToken: lrc, buyToken: eth };
const signing = { baseUrl: 'http://127.0.0.1:4510', chainId: 31337 };

/** A pool that gives 2 ETH for 1,000 LRC, minima, and a last trade a little below. */
const market = {
  getAmmBalances: () => [
    {
      poolName: 'P',
      poolAddress: FRIEND,
      pooled: [
        { tokenId: 1, volume: '100000000' },
        { tokenId: 0, volume: '200000' },
      ],
      lp: { tokenId: 100, volume: '1' },
      risky: false,
    },
  ],
  getOrderUserRateAmount: () => ({
    amounts: [
      { tokenSymbol: 'ETH', baseOrderInfo: { minAmount: '3000' }, userOrderInfo: { minAmount: '4000' } },
      { tokenSymbol: 'LRC', baseOrderInfo: { minAmount: '1' }, userOrderInfo: { minAmount: '1' } },
    ],
    cacheOverdueAt: now * 1000,
  }),
  getUserTrades: () => ({
    totalNum: 1,
    trades: [
      [String((now - 60) * 1000), '7', 'SELL', '1', '0.0019', 'LRC-ETH', '0', '1', '1', '10005', '1', '0', '0x1'],
    ],
  }),
  getTokens: () => [
    { ...samples.getTokens[0], tokenId: 1, orderAmounts: { minimum: '2000000', maximum: '9000000', dust: '1' } },
  ],
} satisfies Answers;
const trade = {
  type: 'SpotTrade',
  storageA: 40,
  storageB: 7,
  accountA: ACCOUNT_ID,
  accountB: 1,
  tokenA: 1,
  tokenB: 0,
  fillA: 1_000_000n,
  fillB: 2_001n,
  flagsA: 63,
  flagsB: 0,
  boughtTokenA: 0,
  boughtTokenB: 0,
  feeHighA: 0,
  feeHighB: 0,
} as const;

describe('an order', () => {
  const draftOf = (changes: object = {}, facts = factsWith()) =>
    submitOrder.prepare(submitOrder.intent().parse({ ...asked, ...changes }), facts);
  const toldOf = async (changes: object = {}, facts = factsWith()) =>
    told(submitOrder.review(await draftOf(changes, facts), now));

  test('without a market is told whole', async () => {
    expect(await toldOf()).toMatchInlineSnapshot(`
      "review_submitOrder pay=1000000 LRC receive=1988 ETH at least
      - review_pay: 1000000 LRC | review_allOfIt | as pay | leaves
      - review_receive: 1988 ETH at least | review_afterFee gross=2001 ETH at least fee=13 ETH | as receive
      - review_price: 0.002001 ETH per LRC
      - review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - review_expires: time 1802592000
      ! note price-uncompared: warning_priceUncompared
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume exchange accountId fillAmountBOrS validUntil maxFeeBips
      unbound: allOrNone"
    `);
  });

  test('beside pool, last trade and minima is told whole', async () => {
    expect(await toldOf({ fillAmountBOrS: true, maxFeeBips: 20 }, factsWith(market))).toMatchInlineSnapshot(`
      "review_submitOrder pay=1000000 LRC receive=1996 ETH at least
      - review_pay: 1000000 LRC | review_atMost | as pay | leaves
      - review_receive: 1996 ETH at least | review_afterFee gross=2001 ETH at least fee=5 ETH | as receive
      - review_price: 0.002001 ETH per LRC
      - review_poolPrice: 0.002 ETH per LRC | review_priceBetter distance=bips 5
      - review_lastTrade: 0.0019 ETH per LRC | review_lastTradeBetter distance=bips 531 time=time 1799999940
      - review_worstFee: 5 ETH | review_worstFeeNote rate=bips 20 | detail
      - review_expires: time 1802592000
      - review_leastAmount: 4000 ETH | review_leastAmountNote amount=3000 ETH | detail
      ! danger amount-below-minimum: warning_amountBelowLimit limit=3000 ETH
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume fillAmountBOrS maxFeeBips exchange accountId validUntil
      unbound: allOrNone"
    `);
  });

  test('beside a last trade alone is told whole', async () => {
    const { getUserTrades } = market;
    expect(await toldOf({ orderType: 'LIMIT_ORDER' }, factsWith({ getUserTrades }))).toMatchInlineSnapshot(`
      "review_submitOrder pay=1000000 LRC receive=1988 ETH at least
      - review_pay: 1000000 LRC | review_allOfIt | as pay | leaves
      - review_receive: 1988 ETH at least | review_afterFee gross=2001 ETH at least fee=13 ETH | as receive
      - review_price: 0.002001 ETH per LRC
      - review_lastTrade: 0.0019 ETH per LRC | review_lastTradeBetter distance=bips 531 time=time 1799999940
      - review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - review_expires: time 1802592000
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume exchange accountId fillAmountBOrS validUntil maxFeeBips
      unbound: orderType allOrNone"
    `);
  });

  test('that buys the base token, with every field that may be set, is told whole', async () => {
    const changes = {
      sellToken: eth,
      buyToken: lrc,
      orderType: 'AMM',
      poolAddress: FRIEND,
      taker: FRIEND,
      clientOrderId: 'mine',
    };
    const known = [{ address: FRIEND, label: 'Ada', source: 'book' as const }];
    const { getOrderUserRateAmount: _, getTokens: __, ...prices } = market;
    expect(await toldOf(changes, factsWith(prices, known))).toMatchInlineSnapshot(`
      "review_submitOrder pay=2001 ETH receive=993700 LRC at least
      - review_pay: 2001 ETH | review_allOfIt | as pay | leaves
      - review_receive: 993700 LRC at least | review_afterFee gross=1000000 LRC at least fee=6300 LRC | as receive
      - review_price: 0.002001 ETH per LRC, paid
      - review_poolPrice: 0.002 ETH per LRC | review_priceWorse distance=bips 4
      - review_lastTrade: 0.0019 ETH per LRC | review_lastTradeWorse distance=bips 504 time=time 1799999940
      - review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - review_expires: time 1802592000
      - review_orderType: message orderType_AMM | detail | unsigned
      - review_taker: address 0x1111111111111111111111111111111111111111 | review_recipientBook name=text Ada
      - review_pool: address 0x1111111111111111111111111111111111111111 | review_recipientBook name=text Ada | unsigned
      - review_clientOrderId: text mine | detail | unsigned
      ! note pool-unbound: warning_poolUnbound
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume taker exchange accountId fillAmountBOrS validUntil maxFeeBips
      unbound: clientOrderId orderType poolAddress allOrNone"
    `);
    expect((await draftOf(changes, factsWith(prices, known))).shown.quoteTokenId).toBe(0);
  });

  test('asks the relayer about its market, base first', async () => {
    const sale = noting(factsWith(market));
    await draftOf({}, sale.facts);
    expect(sale.asked.sort().join('\n')).toMatchInlineSnapshot(`
      "recent getAmmBalances {} 30
      recent getAmmPools {} 900
      recent getOrderUserRateAmount {"accountId":10005,"market":"LRC-ETH"} 30
      recent getTokens {} 900
      recent getUserTrades {"accountId":10005,"market":"LRC-ETH","limit":1} 30"
    `);
    const purchase = noting(factsWith(market));
    await draftOf({ sellToken: eth, buyToken: lrc }, purchase.facts);
    expect(purchase.asked.sort()).toEqual(sale.asked.sort());
  });

  test('keeps what was asked for', async () => {
    const validUntil = now + 1;
    const { body, shown } = await draftOf({ fillAmountBOrS: true, validUntil, maxFeeBips: 1, account: FRIEND });
    expect(body).toEqual({
      ...asked,
      exchange: factsWith().exchangeAddress,
      accountId: ACCOUNT_ID,
      allOrNone: false,
      fillAmountBOrS: true,
      validUntil,
      maxFeeBips: 1,
    });
    expect(Object.keys(shown)).toEqual(['sell', 'buy', 'quoteTokenId', 'market']);
    expect(submitOrder.storageSlot({ body, shown })).toEqual({ tokenId: 1, parity: 'order' });
  });

  test.each([
    [{ orderType: 'AMM', poolAddress: FRIEND, fillAmountBOrS: true }, 'fillAmountBOrS: is false for AMM orders'],
    [{ orderType: 'AMM', poolAddress: FRIEND }, undefined],
    [{ poolAddress: FRIEND }, 'poolAddress: goes with orderType AMM, and only with it'],
    [{ fillAmountBOrS: true }, undefined],
    [{ affiliate: '1234567890' }, undefined],
    [{ affiliate: '12345678901' }, 'affiliate: is not an account id'],
    [{ affiliate: 'a1' }, 'affiliate: is not an account id'],
    [{ affiliate: '1a' }, 'affiliate: is not an account id'],
    [{ affiliate: '' }, 'affiliate: is not an account id'],
  ])('of %j is taken or refused', (changes, expected) => {
    expect(issueOf(submitOrder, { ...asked, ...changes })).toBe(expected);
    expect(issueOf(submitOneOf, { orders: [asked, { ...asked, ...changes }] })).toBe(
      expected && `orders.1.${expected}`,
    );
    expect(issueOf(replaceOrder, { ...asked, replaces: HASH, ...changes })).toBe(expected);
  });

  describe('under a standing approval', () => {
    const standing = submitOrder.standing;
    const limits = {
      terms: {
        operations: ['submitOrder'],
        sellTokenId: 1,
        buyTokenId: 0,
        minPrice: '0.002',
        orderVolume: '1000000',
        totalVolume: '2000000',
        rate: { requests: 1, seconds: 1 },
        validUntil: now + 40 * 86_400,
      },
      shown: { sell: tokens[1], buy: tokens[0], market: 'LRC-ETH', side: 'SELL' },
    } as never as Parameters<NonNullable<typeof standing>['covers']>[0];

    test('is answered within the limits, while there is a price to compare it with', async () => {
      expect(standing?.covers(limits, await draftOf({}, factsWith(market)))).toBe(true);
      expect(standing?.covers(limits, await draftOf())).toBe(false);
      const above = { sellToken: { tokenId: 1, volume: '1000001' } };
      expect(standing?.covers(limits, await draftOf(above, factsWith(market)))).toBe(false);
      expect(standing?.sells?.(await draftOf())).toBe(1_000_000n);
    });

    test('ends within it, where it names no end itself and is in its direction', () => {
      const month = now + 30 * 86_400;
      const ending = (validUntil: number, changes: object = {}, intent: object = {}) =>
        standing?.endingBy?.({ ...asked, ...intent } as never, { ...limits.terms, validUntil, ...changes }, now);
      expect(ending(month - 1)).toEqual({ ...asked, validUntil: month - 1 });
      expect(ending(month + 1)).toEqual({ ...asked, validUntil: month });
      expect(ending(month - 1, {}, { validUntil: now + 1 })).toBeNull();
      for (const other of [{ sellTokenId: 2 }, { buyTokenId: 2 }, { operations: ['cancelOrder'] }])
        expect(ending(month - 1, other)).toBeNull();
    });
  });

  test('is carried out by trades with its storage id', async () => {
    const { body } = await draftOf();
    for (const operation of [submitOrder, replaceOrder, submitOneOf, hardCancel]) {
      const execution = operation.executedAs?.(body, 40);
      expect(execution?.isOf(trade)).toBe(true);
      expect(execution?.fits([{ transactions: [trade], index: 0 }])).toBe(true);
      expect(execution?.fits([{ transactions: [{ ...trade, fillB: 1_000n }], index: 0 }])).toBe(false);
      expect(operation.executedAs?.(body, 41).isOf(trade)).toBe(false);
    }
  });

  test('is found by its hash, and its blocks by its trades', async () => {
    const order = { ...samples.getOrder, status: 'processed' };
    const row = (block: string) => {
      const trades = samples.getUserTrades.trades[0] as readonly string[];
      return trades.map((value, place) => (place === 7 ? block : value));
    };
    const { facts, asked: reads } = noting(
      factsWith({ getOrder: () => order, getUserTrades: () => ({ totalNum: 3, trades: [row('9'), row('8')] }) }),
    );
    expect((await submitOrder.settle.find?.(submittedWith({ hash: HASH }), facts))?.state).toBe('processed');
    expect(await submitOrder.settle.blocks?.(submittedWith({ hash: HASH }), facts)).toEqual({
      blockIds: [8, 9],
      more: true,
    });
    expect(reads).toEqual([
      `find getOrder {"accountId":${ACCOUNT_ID},"orderHash":"${HASH}"} ["ORDER_NOT_FOUND"]`,
      `read getUserTrades {"accountId":${ACCOUNT_ID},"orderHash":"${HASH}","limit":50}`,
    ]);
    expect(await submitOrder.settle.find?.(submittedWith({ hash: null }), facts)).toBeNull();
    expect(await submitOrder.settle.blocks?.(submittedWith({ hash: null }), facts)).toEqual({
      blockIds: [],
      more: false,
    });
    expect(reads).toHaveLength(2);
    expect(
      await submitOrder.settle.find?.(submittedWith({ hash: HASH }), factsWith({ getOrder: () => null })),
    ).toBeNull();
  });

  test('tells the site its own name for it', () => {
    for (const operation of [submitOrder, replaceOrder, submitOneOf, cancelOrder]) {
      expect(operation.result?.(submittedWith({ ack: { clientOrderId: 'mine' } }))).toEqual({ clientOrderId: 'mine' });
      expect(operation.result?.(submittedWith())).toEqual({ clientOrderId: '' });
    }
  });

  test('is sent with its signature, and never without a storage id', async () => {
    const draft = await draftOf();
    const signed = await submitOrder.sign(draft, 40, signing, keys);
    expect(signed.endpoint).toBe('submitOrder');
    const { eddsaSignature, ...body } = sentBody(signed);
    expect(body).toEqual({ ...draft.body, storageId: 40 });
    expect(typeof eddsaSignature).toBe('string');
    await expectStorageIdNeeded(submitOrder, draft);
  });
});

const old: KnownOrder = {
  hash: HASH,
  clientOrderId: 'mine',
  market: 'AMM-LRC-ETH',
  side: 'SELL',
  status: 'processing',
  baseAmount: '1000000',
  quoteAmount: '2000',
  baseFilled: '0',
};
const signedOrder = { storageId: 40 + 16_384, sellTokenId: 1, buyTokenId: 0, sellVolume: '1000000', buyVolume: '2000' };
const factsOf = (
  changes: Partial<KnownOrder> | null = {},
  given: Answers = {},
  signed: object | null = signedOrder,
): Facts => ({
  ...factsWith(given),
  order: async (key) => {
    expect(key).toEqual({ hash: HASH });
    return changes && { ...old, ...changes };
  },
  signedOrder: async () => signed as never,
});

describe('a replacement', () => {
  const intent = { ...asked, replaces: HASH };
  const draftOf = (facts = factsOf()) => replaceOrder.prepare(replaceOrder.intent().parse(intent), facts);

  test('is told whole', async () => {
    expect(told(replaceOrder.review(await draftOf(), now))).toMatchInlineSnapshot(`
      "review_replaceOrder pay=1000000 LRC receive=1988 ETH at least
      - review_pay: 1000000 LRC | review_allOfIt | as pay
      - review_receive: 1988 ETH at least | review_afterFee gross=2001 ETH at least fee=13 ETH | as receive
      - review_price: 0.002001 ETH per LRC
      - review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - review_expires: time 1802592000
      - review_replacedOrder: 1000000 LRC | review_replacedFor receives=2000 ETH
      - review_market: text AMM-LRC-ETH | review_replacedUnfilled
      - review_replacedHash: hex 0xabababababababababababababababababababababababababababababababab | detail
      - review_replacedSlot: integer 40 | detail
      ! note price-uncompared: warning_priceUncompared
      ! note replaced-rising: warning_replacedRising
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume exchange accountId fillAmountBOrS validUntil maxFeeBips
      unbound: allOrNone"
    `);
  });

  test('of a purchase pays in the quote token', async () => {
    const draft = await replaceOrder.prepare(
      { ...intent, sellToken: eth, buyToken: lrc },
      factsOf(
        { side: 'BUY', baseFilled: '1' },
        {},
        { ...signedOrder, sellTokenId: 0, buyTokenId: 1, sellVolume: '2000', buyVolume: '1000000' },
      ),
    );
    const lines = told(replaceOrder.review(draft, now)).split('\n');
    expect(lines.filter((line) => line.includes('replaced')).join('\n')).toMatchInlineSnapshot(`
      "- review_replacedOrder: 2000 ETH | review_replacedFor receives=1000000 LRC
      - review_market: text AMM-LRC-ETH | review_replacedFilled
      - review_replacedHash: hex 0xabababababababababababababababababababababababababababababababab | detail
      - review_replacedSlot: integer 40 | detail
      ! note replaced-rising: warning_replacedRising"
    `);
    expect(replaceOrder.storageSlot(draft)).toEqual({ tokenId: 0, parity: 'order', reuse: 40 + 16_384 });
  });

  test.each<[string, Partial<KnownOrder> | null, object | null, string]>([
    ['waits', { status: 'waiting' }, signedOrder, 'accepted'],
    ['was cancelled', { status: 'cancelled' }, signedOrder, 'replaces: the order is not open any more (cancelled)'],
    ['is filled', { status: 'processed' }, signedOrder, 'replaces: the order is filled'],
    ['is not known', null, signedOrder, 'replaces: this account has no such order'],
    [
      'sells another token',
      {},
      { ...signedOrder, sellTokenId: 0 },
      'sellToken.tokenId: is another token than the replaced order sells; slots belong to a token',
    ],
    [
      'is not of this wallet',
      {},
      null,
      'replaces: was not signed by this wallet, so its slot is not known for certain',
    ],
    ['is known to nobody', null, null, 'replaces: was not signed by this wallet, so its slot is not known for certain'],
    [
      'is for an NFT',
      { nftData: NFT_DATA },
      null,
      'replaces: is an NFT order; its slot takes no order for tokens, but it can be cancelled',
    ],
  ])('of an order that %s is taken or refused', async (_what, changes, signed, expected) => {
    expect(await refusalOf(replaceOrder, intent, factsOf(changes, {}, signed))).toBe(expected);
  });

  test('looks at the old order by its hash, right before it is signed', async () => {
    const draft = await draftOf();
    const order = { ...samples.getOrder, status: 'waiting', volumes: { ...samples.getOrder.volumes, baseFilled: '0' } };
    const { facts, asked: reads } = noting(factsWith({ getOrder: () => order }));
    await replaceOrder.recheck?.(draft, facts);
    expect(reads).toEqual([`find getOrder {"accountId":${ACCOUNT_ID},"orderHash":"${HASH}"} ["ORDER_NOT_FOUND"]`]);
    const filled = { ...order, volumes: { ...order.volumes, baseFilled: '1' } };
    for (const found of [null, { ...order, status: 'cancelled' }, { ...order, status: 'processed' }, filled])
      await expect(replaceOrder.recheck?.(draft, factsWith({ getOrder: () => found }))).rejects.toMatchObject({
        ...{ name: 'FactsChanged', message: 'The order that was to be replaced is not as it was shown.' },
        text: { key: 'problem_orderMoved' },
      });
    await expectStorageIdNeeded(replaceOrder, draft);
  });
});

describe('one of several', () => {
  const second = { sellToken: { ...lrc, volume: '900000' }, buyToken: eth, orderType: 'TAKER_ONLY' };
  const draftOf = (orders: readonly object[] = [asked, second], facts = factsWith()) =>
    submitOneOf.prepare(submitOneOf.intent().parse({ orders }), facts);

  test('is told whole', async () => {
    expect(told(submitOneOf.review(await draftOf([asked, second], factsWith(market)), now))).toMatchInlineSnapshot(`
      "review_submitOneOf count=integer 2
      - review_choice: integer 1 | review_choiceFirst
      - review_pay: 1000000 LRC | review_allOfIt | as pay | leaves
      - review_receive: 1988 ETH at least | review_afterFee gross=2001 ETH at least fee=13 ETH | as receive
      - review_price: 0.002001 ETH per LRC
      - review_poolPrice: 0.002 ETH per LRC | review_priceBetter distance=bips 5
      - review_lastTrade: 0.0019 ETH per LRC | review_lastTradeBetter distance=bips 531 time=time 1799999940
      - review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - review_expires: time 1802592000
      - review_leastAmount: 4000 ETH | review_leastAmountNote amount=3000 ETH | detail
      - review_choice: integer 2 | review_choiceNext
      - review_pay: 900000 LRC | review_allOfIt | leaves
      - review_receive: 1988 ETH at least | review_afterFee gross=2001 ETH at least fee=13 ETH
      - review_price: about 0.00222333333 ETH per LRC
      - review_poolPrice: 0.002 ETH per LRC | review_priceBetter distance=bips 1116
      - review_lastTrade: 0.0019 ETH per LRC | review_lastTradeBetter distance=bips 1701 time=time 1799999940
      - review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - review_expires: time 1802592000
      - review_leastAmount: 4000 ETH | review_leastAmountNote amount=3000 ETH | detail
      - review_orderType: message orderType_TAKER_ONLY | detail | unsigned
      ! danger amount-below-minimum: warning_amountBelowLimit limit=3000 ETH
      ! notice price-unlikely 2 of choice 2: warning_priceUnlikely share=bips 1116
      ! note one-of-rising: warning_oneOfRising
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume exchange accountId fillAmountBOrS validUntil maxFeeBips 2.sellToken.tokenId 2.sellToken.volume 2.buyToken.tokenId 2.buyToken.volume 2.exchange 2.accountId 2.fillAmountBOrS 2.validUntil 2.maxFeeBips
      unbound: allOrNone 2.orderType 2.allOrNone"
    `);
  });

  test('hides no warning of a later order behind that of an earlier one', async () => {
    const worse = (volume: string) => ({ ...asked, buyToken: { tokenId: 0, volume } });
    const review = submitOneOf.review(
      await draftOf([worse('1950'), worse('1'), worse('1950')], factsWith(market)),
      now,
    );
    expect(told(review).match(/^! .*price.*$/gm)).toEqual([
      '! notice price-far 1 of choice 1: warning_priceFar share=bips 250 loss=50 ETH',
      '! stop password price-far 2 of choice 2: warning_priceFar share=bips 9995 loss=1999 ETH',
      '! notice price-far 3 of choice 3: warning_priceFar share=bips 250 loss=50 ETH',
    ]);
    expect(asksPassword(review)).toBe(true);
  });

  test('holds two to five orders that sell one token', async () => {
    expect(issueOf(submitOneOf, { orders: Array(5).fill(asked) })).toBeUndefined();
    expect(issueOf(submitOneOf, { orders: Array(6).fill(asked) })).toContain('orders: ');
    expect(issueOf(submitOneOf, { orders: [asked] })).toContain('orders: ');
    expect(issueOf(submitOneOf, { orders: [asked, { ...asked, storageId: 1 }] })).toContain('orders.1.storageId');
    expect(issueOf(submitOneOf, { orders: [asked, asked], replaces: HASH })).toContain('replaces');
    const other = { sellToken: eth, buyToken: lrc };
    expect(await refusalOf(submitOneOf, { orders: [asked, asked, other] }, factsWith())).toBe(
      'orders.2.sellToken.tokenId: is another token than the first order sells',
    );
  });

  test('goes on to the next in turn', async () => {
    const draft = await draftOf([asked, second, asked]);
    const next = submitOneOf.alternatives?.next(draft);
    expect(next?.body.sellToken.volume).toBe('900000');
    expect(next?.shown.rest).toHaveLength(1);
    const last = next && submitOneOf.alternatives?.next(next);
    expect(last?.shown.rest).toEqual([]);
    expect(last && submitOneOf.alternatives?.next(last)).toBeNull();
    expect(submitOneOf.storageSlot(draft)).toEqual({ tokenId: 1, parity: 'order' });
    const signed = await submitOneOf.sign(draft, 40, signing, keys);
    expect(sentBody(signed)).toMatchObject({ ...asked, storageId: 40 });
  });

  test.each([
    ['TAKER_ONLY', true],
    ['MAKER_ONLY', true],
    ['AMM', true],
    ['LIMIT_ORDER', false],
    [undefined, false],
  ])('waits for the end of an order of type %s: %s', (orderType, waits) => {
    expect(submitOneOf.alternatives?.isImmediate({ orderType } as never)).toBe(waits);
  });

  test.each<[string, string | undefined, boolean]>([
    ['cancelled', '0', true],
    ['cancelled', '00', true],
    ['expired', '0', true],
    ['failed', '0', true],
    ['cancelled', '1', false],
    ['cancelled', undefined, false],
    ['processed', '0', false],
    ['processing', '0', false],
  ])('had no effect when it is %s with %s filled: %s', (status, baseFilled, none) => {
    const ack = { status, ...(baseFilled === undefined ? {} : { volumes: { baseFilled } }) };
    expect(submitOneOf.alternatives?.hadNoEffect(submittedWith({ ack }))).toBe(none);
  });
});

describe('a cancellation for good', () => {
  const listed = (least: { sold?: string; bought?: string } = {}, pools: readonly object[] = market.getAmmBalances()) =>
    ({
      getTokens: () => [
        {
          ...samples.getTokens[0],
          tokenId: 0,
          symbol: 'ETH',
          orderAmounts: { minimum: '777', maximum: '9', dust: '1' },
        },
        {
          ...samples.getTokens[0],
          tokenId: 1,
          symbol: 'LRC',
          orderAmounts: { minimum: least.sold ?? '0', maximum: '9', dust: '1' },
        },
      ],
      getAmmBalances: () => pools,
      getOrderUserRateAmount: () => ({
        amounts: [
          { tokenSymbol: 'LRC', baseOrderInfo: { minAmount: '88888888' } },
          { tokenSymbol: 'ETH', baseOrderInfo: { minAmount: least.bought ?? '0' } },
        ],
        cacheOverdueAt: 0,
      }),
    }) satisfies Answers;
  const quiet = (given: Answers, signed: object = { ...signedOrder, sellVolume: '9000000' }): Facts => ({
    ...factsOf({}, given, signed),
    recent: async () => null,
  });
  const volumesOf = async (given: Answers) => {
    const { body } = await hardCancel.prepare({ orderHash: HASH }, quiet(given));
    return [body.sellToken.volume, body.buyToken.volume];
  };
  const intent = { orderHash: HASH, sellVolume: '1000', buyVolume: '1' };

  test('is told whole', async () => {
    const held = [0, 1].map((tokenId) => ({
      ...{ tokenId, total: tokenId === 1 ? '1500' : '7', locked: '0' },
      pending: { withdraw: '0', deposit: '0' },
    }));
    const draft = await hardCancel.prepare(hardCancel.intent().parse(intent), factsOf({}, { getBalances: () => held }));
    expect(draft.body).toMatchObject({
      orderType: 'TAKER_ONLY',
      validUntil: now + 3_600,
      sellToken: { volume: '1000' },
    });
    expect(told(hardCancel.review(draft, now))).toMatchInlineSnapshot(`
      "review_hardCancel pay=1000 LRC
      - review_orderPays: 1000000 LRC | as pay
      - review_orderReceives: 2000 ETH | as receive
      - review_market: text AMM-LRC-ETH | review_replacedUnfilled
      - review_replacedHash: hex 0xabababababababababababababababababababababababababababababababab | detail
      - review_replacedSlot: integer 40 | detail
      - [review_burnTrade] review_pay: 1000 LRC | review_allOfIt
      - [review_burnTrade] review_receive: 0 ETH at least | review_afterFee gross=1 ETH at least fee=1 ETH
      - [review_burnTrade] review_price: 0.001 ETH per LRC
      - [review_burnTrade] review_worstFee: bips 63 | review_worstFeeNote rate=bips 63 | detail
      - [review_burnTrade] review_expires: time 1800003600 | detail
      - [review_burnTrade] review_orderType: message orderType_TAKER_ONLY | detail | unsigned
      ! stop password burn-large: warning_burnLarge amount=1000 LRC balance=1500 LRC share=bips 6667
      ! stop password burn-price: warning_burnPrice loss=bips 5000 paid=1000000 LRC received=2000 ETH
      ! note price-uncompared: warning_priceUncompared
      bound: sellToken.tokenId sellToken.volume buyToken.tokenId buyToken.volume exchange accountId fillAmountBOrS validUntil maxFeeBips
      unbound: orderType allOrNone"
    `);
    expect(hardCancel.storageSlot(draft)).toEqual({ tokenId: 1, parity: 'order', reuse: 40 + 16_384 });
  });

  test('of which no balance is known, or none is held, is told so', async () => {
    const without = await hardCancel.prepare(intent, quiet({}));
    expect(without.shown.burn).toEqual({ signed: { sell: '9000000', buy: '2000' } });
    const nothing = await hardCancel.prepare(intent, factsOf({}, { getBalances: () => [] }));
    expect(nothing.shown.burn?.balance).toBe('0');
    const { burn: _, ...earlier } = without.shown;
    const warnings = hardCancel.review({ ...without, shown: earlier }, now).warnings;
    expect(warnings.map(({ rule }) => rule)).toEqual(['price-uncompared']);
  });

  test('names an order that this account does not have', async () => {
    expect(await refusalOf(hardCancel, intent, factsOf(null))).toBe('orderHash: this account has no such order');
  });

  test('asks the relayer for the balance of the account', async () => {
    const { facts, asked: reads } = noting(factsOf());
    await hardCancel.prepare(intent, facts);
    expect(reads).toContain(`recent getBalances {"accountId":${ACCOUNT_ID}} 30`);
  });

  test('sells a tenth more than the least that may be sold, at the price of the pool less three hundredths', async () => {
    // 2 ETH for 1,000 LRC.
    expect(await volumesOf(listed({ sold: '100000' }))).toEqual(['110001', '213']);
    expect(await volumesOf(listed({ sold: '10' }))).toEqual(['500', '1']);
  });

  test('sells as much as the least that may be bought costs, where that is more', async () => {
    expect(await volumesOf(listed({ sold: '100000', bought: '1000' }))).toEqual(['550500', '1067']);
    expect(await volumesOf(listed({ bought: '1000' }))).toEqual(['550500', '1067']);
  });

  test.each<[string, (given: Answers) => Answers, readonly string[]]>([
    [
      'rates without amounts',
      (given) => ({ ...given, getOrderUserRateAmount: () => ({ cacheOverdueAt: 0 }) }),
      ['110001', '213'],
    ],
    [
      'rates of other tokens',
      (given) => ({ ...given, getOrderUserRateAmount: () => ({ amounts: [], cacheOverdueAt: 0 }) }),
      ['110001', '213'],
    ],
    [
      'rates without a least amount',
      (given) => ({
        ...given,
        getOrderUserRateAmount: () => ({ amounts: [{ tokenSymbol: 'ETH' }], cacheOverdueAt: 0 }),
      }),
      ['110001', '213'],
    ],
    ['no facts of its tokens', (given) => ({ ...given, getTokens: () => [] }), ['500', '1']],
    [
      'no least amounts of its tokens',
      (given) => ({ ...given, getTokens: () => [{ ...samples.getTokens[0], tokenId: 1, orderAmounts: undefined }] }),
      ['500', '1'],
    ],
  ])('sells the least that is known with %s', async (_what, given, volumes) => {
    expect(await volumesOf(given(listed({ sold: '100000' })))).toEqual(volumes);
  });

  test('takes the price from the first pool that holds both tokens', async () => {
    const pool = (lrcHeld: string, ethHeld: string) => ({
      ...samples.getAmmBalances[0],
      pooled: [
        { tokenId: 1, volume: lrcHeld },
        { tokenId: 0, volume: ethHeld },
      ],
    });
    const other = {
      ...samples.getAmmBalances[0],
      pooled: [
        { tokenId: 2, volume: '5' },
        { tokenId: 0, volume: '5' },
      ],
    };
    const pools = [other, pool('0', '5'), pool('5', '0'), pool('1000', '1000'), pool('1', '9')];
    expect(await volumesOf(listed({ sold: '100000' }, pools))).toEqual(['110001', '106700']);
    expect(await refusalOf(hardCancel, { orderHash: HASH }, quiet(listed({}, pools.slice(0, 3))))).toBe(
      'sellVolume: is missing: the market has no pool to take a price from, so both volumes are needed',
    );
  });

  test('asks for rates in the market of the order, and for tokens and pools', async () => {
    const { facts, asked: reads } = noting(quiet(listed()));
    await hardCancel.prepare({ orderHash: HASH }, facts);
    expect(reads.filter((read) => read.startsWith('read'))).toEqual([
      'read getTokens {}',
      'read getAmmBalances {}',
      `read getOrderUserRateAmount {"accountId":${ACCOUNT_ID},"market":"LRC-ETH"}`,
    ]);
  });

  test('takes no price from a closed or empty pool', async () => {
    const pool = (ethHeld: string, changes: object = {}) => ({
      ...samples.getAmmBalances[0],
      pooled: [
        { tokenId: 1, volume: '1000' },
        { tokenId: 0, volume: ethHeld },
      ],
      ...changes,
    });
    const closed = pool('2000', { poolAddress: FRIEND });
    const empty = pool('5000', { lp: { tokenId: 4, volume: '0' } });
    const pools = [{ ...samples.getAmmPools.pools[0], address: FRIEND.toUpperCase().replace('X', 'x'), status: 9 }];
    const volumesWith = async (...held: object[]) => {
      const facts = quiet(listed({ sold: '100000' }, held));
      const recent: Facts['recent'] = async (name) => (name === 'getAmmPools' ? { pools } : null) as never;
      const { body } = await hardCancel.prepare({ orderHash: HASH }, { ...facts, recent });
      return [body.sellToken.volume, body.buyToken.volume];
    };
    expect(await volumesWith(empty, closed, pool('1000'))).toEqual(['110001', '106700']);
    await expect(volumesWith(empty, closed)).rejects.toThrow('no pool to take a price from');
    // Without a list of pools.
    expect(await volumesOf(listed({ sold: '100000' }, [empty, closed]))).toEqual(['110001', '213401']);
  });

  test('sells no more than the order did, unless both volumes are named', async () => {
    const given = listed({ sold: '909089' });
    const facts = (sellVolume: string) => quiet(given, { ...signedOrder, sellVolume });
    expect(await refusalOf(hardCancel, { orderHash: HASH }, facts('999998'))).toBe('accepted');
    expect(await refusalOf(hardCancel, { orderHash: HASH }, facts('999997'))).toBe(
      'sellVolume: is missing: the exchange takes no less than 999998, and the order sells 999997; name both volumes',
    );
    await expect(hardCancel.prepare({ orderHash: HASH }, facts('999997'))).rejects.toMatchObject({
      text: {
        key: 'warning_amountBelowLimit',
        values: { limit: { kind: 'amount', volume: '999998', token: { tokenId: 1 } } },
      },
    });
    expect(await refusalOf(hardCancel, intent, quiet({}, { ...signedOrder, sellVolume: '1' }))).toBe('accepted');
    expect(issueOf(hardCancel, { orderHash: HASH, buyVolume: '1' })).toBe(
      'buyVolume: goes with sellVolume, and only with it',
    );
    expect(issueOf(hardCancel, { orderHash: HASH })).toBeUndefined();
    expect(issueOf(hardCancel, { orderHash: HASH, sellToken: lrc })).toContain('sellToken');
  });

  test.each<[object, object]>([
    [{ status: 'processing' }, { state: 'open' }],
    [{ status: 'processed' }, { state: 'processed' }],
    [{ status: 'cancelled', volumes: { baseFilled: '1' } }, { state: 'processed' }],
    [
      { status: 'cancelled', volumes: { baseFilled: '0' } },
      { state: 'failed', note: 'the order is cancelled, but its slot is not burned: nothing could be traded' },
    ],
    [
      { status: 'cancelled', volumes: { baseFilled: '00' } },
      { state: 'failed', note: 'the order is cancelled, but its slot is not burned: nothing could be traded' },
    ],
    [
      { status: 'expired' },
      { state: 'failed', note: 'the order is cancelled, but its slot is not burned: nothing could be traded' },
    ],
  ])('whose trade ends as %j is %j', (ack, outcome) => {
    expect(hardCancel.settle.outcomeOf(ack as never)).toEqual({ ...outcome, ack });
  });

  test('is sent as an order, and never without a storage id', async () => {
    const draft = await hardCancel.prepare(intent, factsOf());
    expect(sentBody(await hardCancel.sign(draft, 40, signing, keys))).toMatchObject({ storageId: 40 });
    await expectStorageIdNeeded(hardCancel, draft);
  });
});

describe('a cancellation', () => {
  const draftOf = (changes: Partial<KnownOrder> = {}, given: Answers = {}) =>
    cancelOrder.prepare({ orderHash: HASH }, factsOf(changes, given));

  test.each<[string, Partial<KnownOrder>, readonly string[]]>([
    [
      'a sale',
      {},
      [
        'review_cancelOrder pay=1000000 LRC receive=2000 ETH',
        '- review_orderPays: 1000000 LRC | as pay',
        '- review_orderReceives: 2000 ETH | as receive',
        '- review_market: text AMM-LRC-ETH',
        '- review_filledSoFar: 0 LRC at least',
        '- review_clientOrderId: text mine | detail',
        `- review_orderHash: hex ${HASH} | detail`,
      ],
    ],
    [
      'a purchase',
      { side: 'BUY', market: 'LRC-ETH', clientOrderId: '' },
      [
        'review_cancelOrder pay=2000 ETH receive=1000000 LRC',
        '- review_orderPays: 2000 ETH | as pay',
        '- review_orderReceives: 1000000 LRC | as receive',
        '- review_market: text LRC-ETH',
        '- review_filledSoFar: 0 LRC at least',
        `- review_orderHash: hex ${HASH} | detail`,
      ],
    ],
    [
      'an order in tokens that are not known',
      { market: 'LRC-NONE', clientOrderId: '' },
      ['review_cancelOrder', '- review_market: text LRC-NONE', `- review_orderHash: hex ${HASH} | detail`],
    ],
    [
      'an order in a market without a name',
      { market: '', clientOrderId: '' },
      ['review_cancelOrder', '- review_market: text ', `- review_orderHash: hex ${HASH} | detail`],
    ],
  ])('of %s is told whole', async (_what, changes, rows) => {
    expect(told(cancelOrder.review(await draftOf(changes), now)).split('\n')).toEqual([
      ...rows,
      'bound: accountId orderHash',
      'unbound: ',
    ]);
  });

  test('of an NFT order is told whole', async () => {
    const draft = await draftOf({ nftData: NFT_DATA, market: 'NFT-ETH' }, { getNfts: () => [nftInfo] });
    expect(draft.shown.base).toBeNull();
    expect(rowsOf(cancelOrder.review(draft, now)).review_orderPays).toMatchObject({
      token: { tokenId: 32_768, address: CONTRACT },
    });
    expect(told(cancelOrder.review(draft, now))).toMatchInlineSnapshot(`
      "review_cancelOrder pay=1000000 NFT receive=2000 ETH
      - review_orderPays: 1000000 NFT | as pay
      - review_orderReceives: 2000 ETH | as receive
      - review_market: text NFT-ETH
      - review_filledSoFar: 0 NFT at least
      - review_nftContract: address 0xA3c2192D3BD2D75D6D86A71be5aC2fC75e1B30A9
      - review_nftName: text QmNLei78zWmzUuFMcrk8uiVtzRZB59fKa8RT6YnQaDytzv
      - review_nftData: hex 0x21809f857bbc124355e4849ef127fce00dd3bac192a6247f23fc20a9a38e8781
      - review_clientOrderId: text mine | detail
      - review_orderHash: hex 0xabababababababababababababababababababababababababababababababab | detail
      picture of 0x0000000000000000abababababababababababababababababababababababab
      bound: accountId orderHash
      unbound: "
    `);
    const unknown = await draftOf({ nftData: NFT_DATA, market: 'LRC-ETH' }, { getNfts: () => [] });
    expect(unknown.shown).not.toHaveProperty('nft');
    expect(unknown.shown.base).toBeNull();
  });

  test('names its order by one of two names', async () => {
    const one = 'orderHash: exactly one of orderHash and clientOrderId is given';
    expect(issueOf(cancelOrder, {})).toBe(one);
    expect(issueOf(cancelOrder, { orderHash: HASH, clientOrderId: 'a' })).toBe(one);
    expect(issueOf(cancelOrder, { clientOrderId: 'A.z_9-' })).toBeUndefined();
    const rule = 'clientOrderId: has 1 to 120 of the characters A-Z a-z 0-9 . _ -';
    for (const clientOrderId of ['', 'a b', ' a', 'a ', 'a'.repeat(121)])
      expect(issueOf(cancelOrder, { clientOrderId })).toBe(rule);
    const keysAsked: unknown[] = [];
    const facts = {
      ...factsOf(),
      order: async (key: unknown) => {
        keysAsked.push(key);
        return null;
      },
    };
    expect(await refusalOf(cancelOrder, { clientOrderId: 'a' }, facts)).toBe(
      'clientOrderId: this account has no such order',
    );
    expect(await refusalOf(cancelOrder, { orderHash: HASH }, facts)).toBe('orderHash: this account has no such order');
    expect(keysAsked).toEqual([{ clientOrderId: 'a' }, { hash: HASH }]);
    expect(await refusalOf(cancelOrder, { orderHash: HASH }, factsOf({ status: 'cancelled' }))).toBe(
      'orderHash: the order is not open any more (cancelled)',
    );
    expect(await refusalOf(cancelOrder, { orderHash: HASH }, factsOf({ status: 'waiting' }))).toBe('accepted');
  });

  test('under a standing approval is answered for an own order of its market', async () => {
    const draft = await draftOf();
    const limits = (operations: readonly string[]) =>
      ({ terms: { operations }, shown: { market: 'LRC-ETH', side: 'SELL' } }) as never;
    expect(cancelOrder.standing?.covers(limits(['cancelOrder']), draft)).toBe(true);
    expect(cancelOrder.standing?.covers(limits(['submitOrder']), draft)).toBe(false);
    expect(cancelOrder.standing?.ownOrder?.(draft)).toBe(HASH);
  });

  test.each<[string, object]>([
    ['cancelled', { state: 'processed' }],
    ['processing', { state: 'open' }],
    ['processed', { state: 'failed', note: 'the order is processed' }],
    ['expired', { state: 'failed', note: 'the order is expired' }],
  ])('of an order that is %s', (status, outcome) => {
    expect(cancelOrder.settle.outcomeOf({ status })).toEqual({ ...outcome, ack: { status } });
    const late = cancelOrder.tooLateFor?.(submittedWith({ query: { orderHash: HASH }, ack: { status } }));
    expect(late).toEqual(status === 'processed' || status === 'expired' ? [HASH] : []);
  });

  test.each([
    ['processing', undefined],
    ['waiting', undefined],
    ['cancelling', 'open'],
    ['cancelled', 'processed'],
    ['processed', 'failed'],
  ])('is looked up by the order: %s', async (status, state) => {
    const { facts, asked: reads } = noting(factsWith({ getOrder: () => ({ ...samples.getOrder, status }) }));
    const submitted = submittedWith({ query: { orderHash: HASH } });
    expect((await cancelOrder.settle.find?.(submitted, facts))?.state).toBe(state);
    expect(reads).toEqual([`find getOrder {"accountId":${ACCOUNT_ID},"orderHash":"${HASH}"} ["ORDER_NOT_FOUND"]`]);
    expect(await cancelOrder.settle.find?.(submitted, factsWith({ getOrder: () => null }))).toBeNull();
  });

  test('is sent as a signed query without a body', async () => {
    const draft = await draftOf();
    expect(cancelOrder.storageSlot(draft)).toBeNull();
    const signed = await cancelOrder.sign(draft, null, signing, keys);
    expect(signed).toMatchObject({
      endpoint: 'cancelOrder',
      query: { accountId: ACCOUNT_ID, orderHash: HASH },
      hash: HASH,
    });
    const elsewhere = await cancelOrder.sign(draft, null, { ...signing, baseUrl: 'http://127.0.0.1:1' }, keys);
    expect(elsewhere.signature).not.toBe(signed.signature);
  });
});

describe('a cancellation of all orders of a site', () => {
  const volumes = { ...samples.getOrders.orders[0]?.volumes, baseAmount: '7', quoteAmount: '3' };
  const row = (hash: string, changes: object = {}) => ({
    ...samples.getOrders.orders[0],
    hash,
    market: 'AMM-LRC-ETH',
    side: 'SELL',
    status: 'processing',
    volumes,
    ...changes,
  });
  const listing = (...orders: object[]): Answers => ({ getOrders: () => ({ totalNum: orders.length, orders }) });
  const draftOf = (intent: object | undefined, facts: Facts) =>
    cancelAllOrders.prepare(cancelAllOrders.intent().parse(intent), facts);

  test('is told whole, each order as far as it is known', async () => {
    const given = listing(row(HASH), row(OTHER, { side: 'BUY', market: 'LRC-ETH' }), row(`0x${'0'.repeat(64)}`));
    const unknown = `0x${'ef'.repeat(32)}`;
    const draft = await draftOf(undefined, factsWith(given, [], [HASH, OTHER, unknown]));
    expect(told(cancelAllOrders.review(draft, now))).toMatchInlineSnapshot(`
      "review_cancelAllOrders count=integer 3
      - review_endsSale: 7 LRC | review_endsFor amount=3 ETH hash=hex 0xabababababababababababababababababababababababababababababababab
      - review_endsPurchase: 7 LRC | review_endsFrom amount=3 ETH hash=hex 0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd
      - review_orderHash: hex 0xefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef
      bound: accountId orderHash
      unbound: "
    `);
    expect(draft.shown.orders?.map(({ order }) => order.hash)).toEqual([HASH, OTHER]);
  });

  test('of one order says so, and does without what the relayer does not tell', async () => {
    const draft = await draftOf({}, factsWith({}, [], [HASH]));
    expect(told(cancelAllOrders.review(draft, now)).split('\n')).toEqual([
      'review_cancelOneOrder count=integer 1',
      `- review_orderHash: hex ${HASH}`,
      'bound: accountId orderHash',
      'unbound: ',
    ]);
    const { orders: _, ...earlier } = draft.shown;
    expect(told(cancelAllOrders.review({ ...draft, shown: earlier }, now))).toContain(`review_orderHash: hex ${HASH}`);
    for (const marketName of ['', 'LRC', 'LRC-NONE', 'NONE-ETH'])
      expect(
        (await draftOf({}, factsWith(listing(row(HASH, { market: marketName })), [], [HASH]))).shown.orders,
      ).toEqual([]);
  });

  test('takes ten at once, and says how many are left', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `0x${(index + 1).toString(16).padStart(64, '0')}`);
    const draft = await draftOf({}, factsWith({}, [], many));
    expect(draft.body.orderHash.split(',')).toEqual(many.slice(0, 10));
    expect(
      cancelAllOrders
        .review(draft, now)
        .warnings.map((warning) => [warning.rule, warning.severity, textOf(warning.text)]),
    ).toEqual([['orders-left', 'notice', 'warning_ordersLeft left=integer 2']]);
    const oneMore = await draftOf({}, factsWith({}, [], many.slice(0, 11)));
    expect(cancelAllOrders.review(oneMore, now).warnings.map(({ text }) => textOf(text))).toEqual([
      'warning_orderLeft',
    ]);
    const exact = await draftOf({}, factsWith({}, [], many.slice(0, 10)));
    expect(cancelAllOrders.review(exact, now).warnings).toEqual([]);
    expect(issueOf(cancelAllOrders, { orderHashes: many.slice(0, 10) })).toBeUndefined();
    expect(issueOf(cancelAllOrders, { orderHashes: many.slice(0, 11) })).toContain('orderHashes: ');
    expect(issueOf(cancelAllOrders, { orderHashes: [] })).toContain('orderHashes: ');
    expect(issueOf(cancelAllOrders, { orderHash: HASH })).toContain('orderHash');
  });

  test('takes of the named orders those that the site has placed', async () => {
    const facts = factsWith({}, [], [HASH, OTHER]);
    const unknown = `0x${'ef'.repeat(32)}`;
    const { body } = await draftOf({ orderHashes: [unknown, OTHER.toUpperCase().replace('0X', '0x')] }, facts);
    expect(body.orderHash).toBe(OTHER);
    expect(await refusalOf(cancelAllOrders, { orderHashes: [unknown] }, facts)).toBe(
      'orderHashes: names no open order of this site',
    );
    expect(await refusalOf(cancelAllOrders, {}, factsWith({}, [], []))).toBe('account: has no open order of this site');
  });

  test('asks the relayer for open orders', async () => {
    const { facts, asked: reads } = noting(factsWith({}, [], [HASH]));
    await draftOf({}, facts);
    expect(reads).toEqual([`recent getOrders {"accountId":${ACCOUNT_ID},"status":"processing,waiting","limit":50} 30`]);
  });

  test.each<[string, readonly object[], object | null]>([
    [
      'none is listed any more',
      [row(`0x${'9'.repeat(64)}`)],
      { state: 'processed', ack: [{ id: HASH, result: true }] },
    ],
    ['one is being cancelled', [row(HASH, { status: 'cancelling' })], { state: 'open', ack: {} }],
    ['one is still open', [row(HASH, { status: 'cancelling' }), row(OTHER)], null],
  ])('when %s', async (_when, orders, outcome) => {
    const submitted = submittedWith({ query: { orderHash: `${HASH},${OTHER}` } });
    const ends: Answers = {
      getOrder: ({ query }) => (query?.orderHash === HASH ? { ...samples.getOrder, status: 'cancelled' } : null),
    };
    const { facts, asked: reads } = noting(factsWith({ ...listing(...orders), ...ends }));
    expect(await cancelAllOrders.settle.find?.(submitted, facts)).toEqual(outcome);
    expect(reads[0]).toBe(
      `read getOrders {"accountId":${ACCOUNT_ID},"status":"processing,waiting,cancelling","limit":50,"offset":0}`,
    );
    expect(cancelAllOrders.settle.outcomeOf({ status: 'processed' })).toEqual({ state: 'open', ack: {} });
  });

  test('tells the site what became of each order', () => {
    const resultOf = (ack: unknown) =>
      cancelAllOrders.result?.(submittedWith({ query: { orderHash: `${HASH},${OTHER}` }, ack: ack as never }));
    expect(
      resultOf([
        null,
        { id: OTHER.toUpperCase().replace('0X', '0x'), result: false, error: { code: 102_117 } },
        { id: HASH, result: true },
      ]),
    ).toMatchInlineSnapshot(`
      {
        "orders": [
          {
            "cancelled": true,
            "orderHash": "0xabababababababababababababababababababababababababababababababab",
          },
          {
            "cancelled": false,
            "code": 102117,
            "name": "NO_ORDER_TO_CANCEL",
            "orderHash": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
          },
        ],
      }
    `);
    const silent = { orders: [{ orderHash: HASH }, { orderHash: OTHER }] };
    expect(resultOf({})).toEqual(silent);
    expect(resultOf([{ id: HASH }, { result: true }])).toEqual(silent);
  });

  test('is sent as a signed query without a body', async () => {
    const draft = await draftOf({}, factsWith({}, [], [HASH, OTHER]));
    expect(cancelAllOrders.storageSlot(draft)).toBeNull();
    const signed = await cancelAllOrders.sign(draft, null, signing, keys);
    expect(signed).toMatchObject({
      endpoint: 'cancelOrdersByHash',
      query: { accountId: ACCOUNT_ID, orderHash: `${HASH},${OTHER}` },
    });
    expect(signed.hash).toMatch(/^0x[0-9a-f]{64}$/);
    const elsewhere = await cancelAllOrders.sign(draft, null, { ...signing, baseUrl: 'http://127.0.0.1:1' }, keys);
    expect(elsewhere.signature).not.toBe(signed.signature);
  });
});
