import fc from 'fast-check';
import { formatUnits, parseEther } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  findTradedMarket,
  type LimitOrderParameters,
  ParameterError,
  RelayerRefusedError,
  toOrderParameters,
} from '../../src/viem/index.ts';
import { relayerOfFile } from '../background/relayerOfFile.ts';
import { PASSWORD } from '../background/support.ts';
import { approve, errorOf, stageOf } from './support.ts';

const relayer = await relayerOfFile();

const SALE: LimitOrderParameters = { market: 'LRC-ETH', side: 'SELL', price: '0.0005', size: '100' };
/** Without a connection: the tables are public. */
async function tables() {
  const { client } = await stageOf(relayer);
  const [markets, tokens] = await Promise.all([client.relayer.getMarkets(), client.relayer.getTokens()]);
  return { client, traded: (name: string) => findTradedMarket(markets, tokens, name), markets, tokens };
}

describe('an order in whole tokens', () => {
  test.each([
    ['SELL', '0.0005', '100', { sells: '100000000000000000000', buys: '50000000000000000', byB: false }],
    ['BUY', '0.0005', '100', { sells: '50000000000000000', buys: '100000000000000000000', byB: true }],
    // 1 / 3 base units of the quote token: a purchase pays more, a sale gets less, by less than one
    // unit.
    ['BUY', '0.00000001', '0.000000000000000001', { sells: '1', buys: '1', byB: true }],
    [
      'SELL',
      '0.30000003',
      '1.000000000000000001',
      { sells: '1000000000000000001', buys: '300000030000000000', byB: false },
    ],
  ] as const)('%s %s × %s is exact in base units', async (side, price, size, { sells, buys, byB }) => {
    const { traded } = await tables();
    const market = traded('LRC-ETH');
    const withoutLimits = {
      ...market,
      base: { ...market.base, orderAmounts: undefined },
      quote: { ...market.quote, orderAmounts: undefined },
    };
    expect(toOrderParameters(withoutLimits, { market: 'LRC-ETH', side, price, size, clientOrderId: 'mine' })).toEqual({
      sellToken: { tokenId: side === 'SELL' ? 1 : 0, volume: BigInt(sells) },
      buyToken: { tokenId: side === 'SELL' ? 0 : 1, volume: BigInt(buys) },
      fillAmountBOrS: byB,
      clientOrderId: 'mine',
    });
  });

  test('no number is rounded through a float, and the price never becomes better than asked', async () => {
    const { traded } = await tables();
    const market = traded('LRC-USDT');
    const digits = market.market.precisionForPrice ?? 0;
    const { base, quote } = market;
    fc.assert(
      fc.property(
        fc.constantFrom('BUY' as const, 'SELL' as const),
        fc.bigInt({ min: 10n ** 6n, max: 10n ** 8n }),
        fc.bigInt({ min: 10n ** 20n, max: 10n ** 23n }),
        (side, priceUnits, volume) => {
          const price = formatUnits(priceUnits, digits);
          const size = formatUnits(volume, base.decimals);
          const { sellToken, buyToken } = toOrderParameters(market, { market: 'LRC-USDT', side, price, size });
          const [of, per] = side === 'SELL' ? [sellToken, buyToken] : [buyToken, sellToken];
          expect(of.volume).toBe(volume);
          const worth = volume * priceUnits;
          const one = 10n ** BigInt(base.decimals + digits - quote.decimals);
          const away = BigInt(per.volume) * one - worth;
          // Less than one unit away, against the order.
          expect(side === 'SELL' ? away <= 0n && away > -one : away >= 0n && away < one).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['market', { market: 'LRC-XYZ' }, 'the relayer has no market LRC-XYZ'],
    ['market', { market: 'WBTC-ETH' }, 'WBTC-ETH takes no orders now'],
    ['side', { side: 'sell' as never }, 'is neither BUY nor SELL'],
    ['price', { price: '0.000500001' }, 'has more than 8 digits after the point: 0.000500001'],
    ['price', { price: '0' }, 'is zero'],
    ['price', { price: '5e-4' }, "is not a decimal text such as '0.5'"],
    ['price', { price: '-1' }, "is not a decimal text such as '0.5'"],
    ['price', { price: 0.0005 as never }, "is not a decimal text such as '0.5'"],
    ['size', { size: '1,000' }, "is not a decimal text such as '0.5'"],
    ['size', { size: '1.0000000000000000001' }, /^has more than 18 digits/],
    ['size', { size: '4.999999999999999999' }, 'an order has to sell at least 5 LRC'],
    ['size', { side: 'BUY' as const, size: '1.9' }, 'an order has to sell at least 0.001 ETH'],
    ['size', { size: '100000001' }, 'an order can sell at most 100000000 LRC'],
    ['size', { price: '1000000', size: '5' }, 'an order can buy at most 10000 ETH'],
  ] as const)('%s of %j is refused before the window opens', async (field, change, rule) => {
    const { client, wallet } = await stageOf(relayer);
    const error = await errorOf(client.relayer.limitOrder({ ...SALE, ...change }));
    expect(error).toBeInstanceOf(ParameterError);
    expect(error).toMatchObject({
      field,
      rule: typeof rule === 'string' ? rule : expect.stringMatching(rule),
      outcome: 'not-sent',
    });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
  });

  test('zeros after the last digit are no digits', async () => {
    const { traded } = await tables();
    const market = traded('LRC-ETH');
    expect(toOrderParameters(market, { ...SALE, price: '0.000500000000', size: '0100.0' })).toEqual(
      toOrderParameters(market, SALE),
    );
    const wrong = () => toOrderParameters(market, { ...SALE, market: 'LRC-USDT' });
    expect(wrong).toThrow(ParameterError);
    expect(wrong).toThrow('market: is not LRC-ETH');
  });

  test.each(['SELL', 'BUY'] as const)(
    'the relayer lists a %s with the price and size that were asked for',
    async (side) => {
      const { client, wallet } = await stageOf(relayer);
      const price = side === 'SELL' ? '0.00051234' : '0.00001234';
      const asked = client.relayer.limitOrder({
        market: 'LRC-ETH',
        side,
        price,
        size: '123.456',
        orderType: 'MAKER_ONLY',
      });
      await approve(wallet);
      const { hash } = await asked;
      const order = await client.relayer.getOrder({ orderHash: hash });
      expect(order).toMatchObject({ side, market: 'LRC-ETH', orderType: 'MAKER_ONLY', status: 'processing' });
      expect(order.volumes.baseAmount).toBe(parseEther('123.456').toString());
      // The book is made right after the order is accepted.
      const slots = async () => {
        const { asks, bids } = await client.relayer.getDepth({ market: 'LRC-ETH' });
        return (side === 'SELL' ? asks : bids).map(([at, size]) => [at, size]);
      };
      await expect.poll(slots).toContainEqual([price, parseEther('123.456').toString()]);
      const cancelled = client.relayer.cancelOrder({ orderHash: hash });
      await approve(wallet);
      await cancelled;
    },
  );
});

describe('a preview', () => {
  test('has what the order pays, receives and costs, and shows no window', async () => {
    const { client, wallet } = await stageOf(relayer);
    const preview = await client.relayer.previewOrder({ ...SALE, clientOrderId: 'previewed' });
    const { feeRate } = await client.relayer.getUserOrderFee({
      market: 'LRC-ETH',
      tokenB: 0,
      amountB: parseEther('0.05'),
    });
    expect(preview).toMatchObject({
      order: {
        sellToken: { tokenId: 1, volume: parseEther('100') },
        buyToken: { tokenId: 0, volume: parseEther('0.05') },
      },
      pays: { token: 'LRC', amount: '100' },
      receives: { token: 'ETH', amount: '0.05' },
      fee: { makerBips: feeRate.makerRate, takerBips: feeRate.takerRate },
      available: { token: 'LRC', amount: '100000' },
      problems: [],
    });
    expect(preview.fee?.most).toEqual({
      token: 'ETH',
      amount: formatUnits((parseEther('0.05') * BigInt(feeRate.takerRate)) / 10_000n, 18),
    });
    expect(await wallet.ui('listApprovals', {})).toEqual([]);
    const asked = client.relayer.submitOrder(preview.order);
    await approve(wallet);
    expect(await asked).toMatchObject({ status: 'acknowledged', clientOrderId: 'previewed' });
    const held = await client.relayer.previewOrder(SALE);
    expect(held.available).toEqual({ token: 'LRC', amount: '99900' });
  });

  test('has the rates that the relayer charges, for small orders too', async () => {
    const { client } = await stageOf(relayer);
    for (const size of ['6', '20', '50', '100', '1000', '20000']) {
      const { fee, order } = await client.relayer.previewOrder({ ...SALE, size });
      const asked = client.relayer.getUserOrderFee({ market: 'LRC-ETH', tokenB: 0, amountB: order.buyToken.volume });
      const { feeRate } = await asked.catch((error: unknown) => {
        expect(error).toMatchObject({ relayerName: 'ORDER_TOO_SMALL' });
        return { feeRate: null };
      });
      expect([size, fee && [fee.makerBips, fee.takerBips]]).toEqual([
        size,
        feeRate && [feeRate.makerRate, feeRate.takerRate],
      ]);
    }
  });

  test.each([
    ['SELL', '0.00051'],
    ['SELL', '0.00001'],
    ['BUY', '0.00003'],
    ['BUY', '0.00000001'],
  ] as const)('names the least size of a %s at %s: the relayer takes it, and nothing less', async (side, price) => {
    const { client, wallet } = await stageOf(relayer);
    const order = { market: 'LRC-ETH', side, price, orderType: 'MAKER_ONLY' } as const;
    const { minimumSize } = await client.relayer.previewOrder({ ...order, size: '50000' });
    expect((await client.relayer.previewOrder({ ...order, size: minimumSize })).problems).toEqual([]);
    const asked = client.relayer.limitOrder({ ...order, size: minimumSize });
    // A sale far below the price of the pool asks for it.
    await approve(wallet, { password: PASSWORD });
    expect((await asked).relayerStatus).toBe('processing');

    const less = formatUnits(parseEther(minimumSize) - 1n, 18);
    const { problems, order: tooSmall } = await client.relayer.previewOrder({ ...order, size: less });
    expect(problems).toMatchObject([{ field: 'size', reason: 'belowMinimum' }]);
    const refused = errorOf(client.relayer.submitOrder(tooSmall));
    await approve(wallet, { password: PASSWORD });
    const error = await refused;
    expect(error).toBeInstanceOf(RelayerRefusedError);
    expect(error).toMatchObject({ relayerName: 'ORDER_TOO_SMALL' });
  });

  test('says that the balance does not reach, and that the fee is above the highest accepted one', async () => {
    const { client } = await stageOf(relayer);
    const preview = await client.relayer.previewOrder({ ...SALE, size: '100000.5', maxFeeBips: 1 });
    expect(preview.problems).toEqual([
      { field: 'size', reason: 'balance', rule: 'the account has 100000 LRC available' },
      { field: 'maxFeeBips', reason: 'feeAboveMaximum', rule: expect.stringMatching(/^this order needs \d+$/) },
    ]);
    expect((await client.relayer.previewOrder({ ...SALE, size: '100000' })).problems).toEqual([]);
    expect(
      (await client.relayer.previewOrder({ ...SALE, price: '0.00000001', size: '1' })).problems.map(
        ({ reason }) => reason,
      ),
    ).toEqual(['belowMinimum', 'belowMinimum']);
    expect(await errorOf(client.relayer.previewOrder({ ...SALE, price: '0.000000001' }))).toMatchObject({
      field: 'price',
    });
  });

  test.each([
    ['the rates', { userOrderInfo: undefined }],
    ['the rate of a taker', { userOrderInfo: { minAmount: '0', makerRate: 5 } }],
  ])('has no fee when the relayer leaves out %s, and still the least size', async (_, change) => {
    const { client } = await stageOf(relayer, {
      fetchWith: async (input, init) => {
        const reply = await fetch(input, init);
        if (!String(input instanceof Request ? input.url : input).includes('orderUserRateAmount')) return reply;
        const body = await reply.json();
        return Response.json({ ...body, amounts: body.amounts.map((row: object) => ({ ...row, ...change })) });
      },
    });
    expect(await client.relayer.previewOrder({ ...SALE, maxFeeBips: 1 })).toMatchObject({
      fee: undefined,
      problems: [],
    });
    const { fee, problems } = await client.relayer.previewOrder({ ...SALE, price: '0.00000001', size: '5' });
    expect(fee).toBeNull();
    expect(problems).toMatchObject([{ reason: 'belowMinimum' }]);
  });
});
