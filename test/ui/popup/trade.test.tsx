// @vitest-environment happy-dom
import { render } from 'preact';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Draft, Facts } from '../../../src/operations/operation.ts';
import { type OrderBody, type OrderShown, submitOrder } from '../../../src/operations/submitOrder.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import { chartOf } from '../../../src/ui/popup/trade/candleShapes.ts';
import { marketFor } from '../../../src/ui/popup/trade/MarketPage.tsx';
import { changeBips, priceTexts } from '../../../src/ui/popup/trade/marketText.ts';
import { fillsNow, orderTerms, sizeFor } from '../../../src/ui/popup/trade/orderTerms.ts';
import { scaledPrice } from '../../../src/ui/shared/numbers.ts';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import {
  all,
  amounts,
  background,
  emptyPages,
  enterAmount,
  find,
  openPopup,
  press,
  root,
  settled,
  started,
  submit,
  text,
} from '../support/page.tsx';

// A screen that is opened on demand is there at once when its code has been loaded before.
beforeAll(() => import('../../../src/ui/popup/laterScreens.ts'));

const sell = () => press(all('.form .segment input')[1]);

const open = (handlers: Handlers = {}, place = '#/trade') =>
  openPopup(place, {
    getActivity: () => [],
    getBalances: () => f.home.balances,
    getOrders: () => f.fresh(f.orders),
    getMarkets: () => f.markets,
    getMarketData: () => f.marketData,
    previewOperation: () => ({ review: { ...f.transferReview, warnings: [] }, refused: null }),
    startOperation: () => ({ id: 'a1', problem: null }),
    getApproval: () => f.ownApproval(),
    ...handlers,
  });

emptyPages();

const ETHER = 10n ** 18n;
const market = { base: f.lrc, quote: f.eth };
const [, ethUsdt = market] = f.markets;

describe('the terms of an order', () => {
  it.each([
    ['BUY', '0.0002095', 12_345n * ETHER],
    ['SELL', '0.0002092', 12_345n * ETHER + 1n],
    ['BUY', '0.000000000000000000000000000001', 7n],
  ] as const)(
    '%s at %s: what is shown as paid and received is what the review of that order says',
    (side, price, size) => {
      const terms = orderTerms(side, size, scaledPrice(price), 63, market);
      const body = {
        sellToken: { tokenId: terms.sell.token.tokenId, volume: String(terms.sell.volume) },
        buyToken: { tokenId: terms.buy.token.tokenId, volume: String(terms.buy.volume) },
        ...{ exchange: f.network.exchangeAddress, accountId: 1, allOrNone: false, fillAmountBOrS: side === 'BUY' },
        ...{ validUntil: 2_000_000_000, maxFeeBips: 63 },
      } as OrderBody;
      const shown = { sell: terms.sell.token, buy: terms.buy.token, quoteTokenId: f.eth.tokenId, market: {} };
      const { rows } = submitOrder.review(
        { body, shown } as Draft<OrderBody, OrderShown>,
        1_900_000_000 as Facts['now'],
      );
      const volume = (key: string) => {
        const value = rows.find(({ label }) => label.key === key)?.value;
        return value?.kind === 'amount' ? value.volume : undefined;
      };
      expect([volume('review_pay'), volume('review_receive')]).toEqual([
        String(terms.sell.volume),
        String(terms.least),
      ]);
    },
  );

  it('reach an offer at the very price that was typed, whatever the digits of the tokens', () => {
    for (const [side, price] of [
      ['BUY', '2500.123457'],
      ['SELL', '2500.123457'],
    ] as const) {
      const { sell: paid, buy } = orderTerms(side, 333_333_333_333_333_333n, scaledPrice(price), 63, ethUsdt);
      // Quote for base in the terms, beside the price, as products of integers.
      const [quote, base] = side === 'BUY' ? [paid.volume, buy.volume] : [buy.volume, paid.volume];
      const ofTerms = quote * 10n ** 18n * 10n ** 30n;
      const ofPrice = scaledPrice(price) * base * 10n ** 6n;
      expect(side === 'BUY' ? ofTerms >= ofPrice : ofTerms <= ofPrice).toBe(true);
      // By less than one base unit of the quote token.
      const unit = 10n ** 48n;
      expect((ofTerms > ofPrice ? ofTerms - ofPrice : ofPrice - ofTerms) < unit).toBe(true);
    }
  });

  it('of all that is held never cost more than is held', () => {
    for (const price of ['0.0002095', '3', '0.0000000007']) {
      const size = sizeFor('BUY', 7_777_777_777_777_777_777n, scaledPrice(price), market);
      expect(orderTerms('BUY', size, scaledPrice(price), 63, market).sell.volume).toBeLessThanOrEqual(
        7_777_777_777_777_777_777n,
      );
    }
    expect(sizeFor('BUY', 1n, 0n, market)).toBe(0n);
  });
});

describe('what a book fills at once', () => {
  const level = (price: string, size: string) => ({ price, size });
  const asks = [level('100', '10'), level('101', '10'), level('110', '10')];
  const fills = (size: bigint, price: string) => fillsNow('BUY', size, scaledPrice(price), asks);

  it('stops at the price of the order and at its size, and rounds the impact up', () => {
    expect(fills(5n, '100')).toEqual({ filled: 5n, impactBips: 0 });
    expect(fills(20n, '101')).toEqual({ filled: 20n, impactBips: 50 });
    expect(fills(30n, '109.99')).toEqual({ filled: 20n, impactBips: 50 });
    expect(fills(11n, '200')).toEqual({ filled: 11n, impactBips: 10 });
    expect(fills(5n, '99.9')).toEqual({ filled: 0n, impactBips: 0 });
  });

  it('is unknown of an order that goes beyond the fifty levels that are read', () => {
    const full = Array.from({ length: 50 }, (_, index) => level(`${100 + index}`, '10'));
    const fills = (size: bigint, price: string) => fillsNow('BUY', size, scaledPrice(price), full);
    expect(fills(501n, '200')).toBe(null);
    expect(fills(500n, '200')?.filled).toBe(500n);
    expect(fills(501n, '148')?.filled).toBe(490n);
  });

  it('of a sale counts from the highest bid down', () => {
    const bids = [level('100', '10'), level('90', '10')];
    expect(fillsNow('SELL', 20n, scaledPrice('90'), bids)).toEqual({ filled: 20n, impactBips: 500 });
    expect(fillsNow('SELL', 20n, scaledPrice('90.1'), bids)).toEqual({ filled: 10n, impactBips: 0 });
    expect(fillsNow('SELL', 20n, scaledPrice('90'), [])).toEqual({ filled: 0n, impactBips: 0 });
  });
});

describe('prices of a relayer', () => {
  it('stand under each other, and what a buyer pays is rounded up', () => {
    expect(priceTexts(['0.0002090', '0.00020925', '0.0002'], 'SELL')).toEqual([
      '0.00020900',
      '0.00020925',
      '0.00020000',
    ]);
    expect(priceTexts(['1234.56789'], 'BUY')).toEqual(['1,234.6']);
    expect(priceTexts(['1234.56789'], 'SELL')).toEqual(['1,234.5']);
    expect(priceTexts([], 'BUY')).toEqual([]);
    expect([changeBips('2', '2.5'), changeBips('0.0000004', '0.0000001')]).toEqual([2_500, -7_500]);
  });
});

describe('the chart', () => {
  const hour = 3_600_000;
  const candle = (at: number, open: string, close: string) => ({ at, open, close, high: '3', low: '1' });

  it('ends with the running interval, and leaves a gap where nothing was traded', () => {
    const chart = chartOf(
      [candle(0, '1', '1'), candle(45 * hour, '1', '2'), candle(47 * hour, '3', '1')],
      hour,
      47.5 * hour,
    );
    expect(chart?.shapes.map(({ x, rises }) => [x, rises])).toEqual([
      [5, true],
      [455, true],
      [475, false],
    ]);
    expect(chart?.shapes.map(({ top, bottom }) => top <= bottom)).toEqual([true, true, true]);
    expect(chart).toMatchObject({ open: '1', close: '1', high: '3', low: '1' });
  });

  it('has a line at the last price, and says so while there are too few candles for a course', () => {
    const of = (hours: readonly number[]) =>
      chartOf(
        hours.map((at) => candle(at * hour, '1', '3')),
        hour,
        47 * hour,
      );
    expect(of([47])).toMatchObject({ last: 4, isSparse: true });
    expect(of([44, 45, 47])?.isSparse).toBe(true);
    expect(of([44, 45, 46, 47])).toMatchObject({ last: 4, isSparse: false });
  });

  it('draws nothing of another time', () => {
    expect(chartOf([candle(0, '1', '1')], hour, 48 * hour)).toBe(null);
    expect(chartOf([candle(50 * hour, '1', '1')], hour, 48 * hour)).toBe(null);
    expect(chartOf([], hour, 0)).toBe(null);
  });

  it('of a price that never moved stands in the middle', () => {
    const still = { at: 0, open: '1', close: '1', high: '1', low: '1' };
    expect(chartOf([still], hour, 0)?.shapes).toMatchObject([{ high: 100, low: 100, top: 100, bottom: 100 }]);
    expect(chartOf([still], hour, 0)?.last).toBe(100);
  });
});

describe('the Trade screen', () => {
  it('asks for exactly the order that is typed: a purchase ends with the amount that is bought', async () => {
    await open();
    await enterAmount(0, '0.00021');
    await enterAmount(1, '1500');
    expect(text()).toContain('You pay0.315 ETH');
    // 0.63 % of 1,500 is 9.45.
    expect(text()).toContain('You receive at least1,490.55 LRC');
    await submit();
    expect(started()).toEqual([
      {
        operation: 'submitOrder',
        account: f.account.id,
        intent: {
          sellToken: { tokenId: 0, volume: '315000000000000000' },
          buyToken: { tokenId: 1, volume: '1500000000000000000000' },
          fillAmountBOrS: true,
          maxFeeBips: 63,
        },
      },
    ]);
    expect(background.callsOf('approve')).toEqual([]);
    expect(find('.own-approval h1').textContent).toContain('Send');
  });

  it('sells the amount that is typed, with the highest fee that is chosen', async () => {
    await open();
    await sell();
    await enterAmount(0, '0.0002');
    await enterAmount(1, '100');
    const fee = find('.trade-fee') as HTMLSelectElement;
    fee.value = '20';
    fee.dispatchEvent(new Event('change', { bubbles: true }));
    await settled();
    await submit();
    expect(started()).toMatchObject([
      {
        intent: {
          sellToken: { tokenId: 1, volume: '100000000000000000000' },
          buyToken: { tokenId: 0, volume: '20000000000000000' },
          fillAmountBOrS: false,
          maxFeeBips: 20,
        },
      },
    ]);
  });

  it('takes a price from the book, digit for digit, and a share of what is free', async () => {
    await open();
    await press(find('.book-asks .book-level'));
    expect(amounts()[0]).toBe('0.0002095');
    await press(all('.trade-shares button').at(-1));
    // All the ETH that is free, at that price.
    const free = BigInt(f.home.balances[0]?.total ?? 0) - BigInt(f.home.balances[0]?.locked ?? 0);
    const [whole = ''] = (amounts()[1] ?? '').split('.');
    expect(BigInt(whole)).toBe((free * 10_000_000n) / 2_095n / ETHER);
    await submit();
    expect(started()).toHaveLength(1);
    await sell();
    await press(all('.trade-shares button')[1]);
    // Half of 184,250.5 less 150 in orders.
    expect(amounts()[1]).toBe('92050.25');
  });

  it('says what fills at once and how far that moves the price, except where an own offer is reached', async () => {
    const own = f.order({ price: '0.000211', market: 'AMM-LRC-ETH' });
    await open({ getOrders: () => f.fresh({ ...f.orders, open: [own, f.order({ market: 'LRC-USDT' })] }) });
    await enterAmount(0, '0.0002101');
    await enterAmount(1, '20000');
    expect(text()).toContain('Fills now20,000 LRC');
    // 12,400 at 2095 and 7,600 at 2101: 10.9 ten-thousandths.
    expect(text()).toContain('Price impact 0.11%');
    await enterAmount(0, '0.0002');
    expect(text()).toContain('Fills now0 LRC');
    await enterAmount(0, '0.000211');
    expect(text()).not.toContain('Fills now');
    await sell();
    expect(text()).toContain('Fills now0 LRC');
  });

  it('says nothing of what fills at once at a lower highest fee: a pool of the book may ask for more', async () => {
    await open({ getOrders: () => f.fresh({ ...f.orders, open: [] }) });
    await enterAmount(0, '0.0002101');
    await enterAmount(1, '20000');
    const fee = find('.trade-fee') as HTMLSelectElement;
    for (const [bips, says] of [
      ['40', false],
      ['63', true],
    ] as const) {
      fee.value = bips;
      fee.dispatchEvent(new Event('change', { bubbles: true }));
      await settled();
      expect(text().includes('Fills now')).toBe(says);
    }
  });

  it.each(['cheap', '0.0002110000000000000000000000000000001', '2.11E-4'])(
    'says nothing of what fills at once beyond an own offer at %s',
    async (price) => {
      await open({ getOrders: () => f.fresh({ ...f.orders, open: [f.order({ price })] }) });
      await enterAmount(1, '20000');
      await enterAmount(0, '0.0002109');
      expect(text().includes('Fills now')).toBe(price !== 'cheap');
      await enterAmount(0, '0.0002111');
      expect(text()).toContain('You pay');
      expect(text()).not.toContain('Fills now');
    },
  );

  it('says what fills at once only when the exchange has named the own orders since the screen opened', async () => {
    const problem = { key: 'error_unknown' };
    await open({ getOrders: () => ({ ...f.fresh({ ...f.orders, open: [] }), problem }) });
    await enterAmount(0, '0.0002101');
    await enterAmount(1, '20000');
    expect(text()).not.toContain('Fills now');
  });

  it.each([
    ['nothing at all', '', '', 'How much?'],
    ['a price of zero', '0', '1', 'The amount is zero.'],
    ['more than is held', '1', '999999', 'Not enough ETH'],
    ['so little that nothing is received', '0.0002', '0.000000000000000001', 'The amount is zero.'],
    ['a price that could be read in two ways', '1,250', '1', 'thousands separator'],
  ])('does not ask for %s', async (_, price, size, sentence) => {
    await open();
    await enterAmount(0, price);
    await enterAmount(1, size);
    await submit();
    expect(started()).toEqual([]);
    expect(text()).toContain(sentence);
  });

  it('shows the warnings of the approval request before it is asked', async () => {
    await open({ previewOperation: () => ({ review: f.transferReview, refused: null }) });
    await enterAmount(0, '0.00021');
    await enterAmount(1, '1500');
    // The preview waits for a pause in typing.
    for (let turn = 0; turn < 100 && background.callsOf('previewOperation').length === 0; turn++) await settled();
    await settled();
    expect(all('.form .banner')).toHaveLength(
      f.transferReview.warnings.filter(({ severity }) => severity !== 'note').length,
    );
    expect(background.callsOf('previewOperation')).toMatchObject([{ operation: 'submitOrder' }]);
  });

  it('shows the orders of this market only, and leads from each to what can be done with it', async () => {
    await open();
    expect(all('.entry')).toHaveLength(2);
    await press(find('.entry-head'));
    expect(text()).toContain('Cancel this order');
  });

  it('does not call a market without orders that only the newest orders of the account leave out', async () => {
    const open50 = Array.from({ length: 50 }, (_, index) =>
      f.order({ hash: `0x${String(index).padStart(64, '1')}`, market: 'LRC-USDT' }),
    );
    await open({ getOrders: () => f.fresh({ ...f.orders, open: open50, moreOpen: true }) });
    expect(find('[aria-labelledby=trade-own]').textContent).toBe(
      'Your open ordersOnly the newest 50 orders were read.',
    );
  });

  it('says in words what the chart shows, and hides nothing that only colour tells', async () => {
    await open();
    expect(find('.chart svg').getAttribute('aria-label')).toMatch(
      /^LRC · ETH, last 2 days: from 0\.0\d+ to 0\.0\d+, lowest 0\.0\d+, highest 0\.0\d+$/,
    );
    expect(find('.chart-times').textContent).toBe('−2 daysnow');
    expect(all('.trade-side').map(({ textContent }) => textContent)).toEqual([
      'Buy 1,200 LRC',
      'Sell 87.5 LRC',
      'Sell 23.456 LRC',
      'Buy 450,000 LRC',
    ]);
  });

  it('opens the market of the address, and another one that is chosen, with an empty form', async () => {
    await open({}, '#/trade/ETH-USDT');
    expect(background.callsOf('getMarketData')).toMatchObject([{ market: 'ETH-USDT', interval: '1hr' }]);
    await enterAmount(0, '2500');
    const select = find('.market-head select') as HTMLSelectElement;
    select.value = 'LRC-ETH';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await settled();
    expect(background.callsOf('getMarketData').at(-1)).toMatchObject({ market: 'LRC-ETH' });
    expect(amounts()).toEqual(['', '']);
  });

  it('opens the market of what the account holds', () => {
    const other = { market: 'PTS-DUST', base: f.points, quote: f.dust };
    const holding = (...tokens: (typeof f.eth)[]) =>
      tokens.map((token) => ({ token, total: '1', locked: '0', pendingDeposit: '0', pendingWithdraw: '0' }));
    const opened = (name: string | undefined, ...tokens: (typeof f.eth)[]) =>
      marketFor([other, ...f.markets], name, holding(...tokens))?.market;
    expect(opened(undefined, f.usdt, f.eth)).toBe('ETH-USDT');
    expect(opened(undefined, f.lrc)).toBe('LRC-ETH');
    expect(opened(undefined)).toBe('PTS-DUST');
    expect(opened('LRC-ETH', f.usdt, f.eth)).toBe('LRC-ETH');
    expect(opened('gone', f.lrc)).toBe('LRC-ETH');
    expect(marketFor([], undefined, [])).toBe(undefined);
  });

  it('asks for candles of another length, while price and book stay', async () => {
    await open({
      getMarketData: ({ interval }: { interval: string }) =>
        interval === '1d' ? new Promise<never>(() => undefined) : f.marketData,
    });
    await press(all('.chart .segment input').at(-1));
    expect(background.callsOf('getMarketData').at(-1)).toMatchObject({ interval: '1d' });
    expect(all('.book-level')).toHaveLength(12);
    expect(find('.chart').textContent).toContain('The chart is not read yet.');
    expect(text()).not.toContain('Nothing yet.');
  });

  it('keeps the choice of the length where the candles of one cannot be read', async () => {
    await open({
      getMarketData: ({ interval }: { interval: string }) =>
        interval === '1d' ? { ...f.marketData, candles: null } : f.marketData,
    });
    await press(all('.chart .segment input').at(-1));
    expect(find('.chart').textContent).toContain('The chart is not read yet.');
    await press(all('.chart .segment input')[0]);
    expect(all('.chart svg')).toHaveLength(1);
  });

  it('of an exchange without market data says so, and an order can be placed', async () => {
    await open({ getMarketData: () => f.silentMarket });
    expect(text()).toContain('This exchange publishes no market data.');
    expect(all('.chart, .book, .trades')).toEqual([]);
    await enterAmount(0, '0.00021');
    await enterAmount(1, '1');
    expect(text()).not.toContain('Fills now');
    await submit();
    expect(started()).toHaveLength(1);
  });

  it('says that a market is empty, and that there is none', async () => {
    await open({ getMarketData: () => f.emptyMarket });
    expect(find('.chart').textContent).toContain('Nothing yet.');
    expect(find('[aria-labelledby=trade-book]').textContent).toBe('Order bookNothing yet.');
    expect(all('.trades')).toEqual([]);
    expect(text()).not.toContain('24 hr');
    render(null, root);
    await open({ getMarkets: () => [] });
    expect(text()).toContain('This exchange has no open market.');
  });

  it('keeps what was read when the exchange no longer answers, and says why it is old', async () => {
    let offline = false;
    await open({
      getMarketData: () => {
        if (offline)
          throw new UiCallError('relayer-unreachable', 'error_relayerUnreachable', { host: 'exchange.example' });
        return f.marketData;
      },
    });
    offline = true;
    background.changed();
    await settled();
    expect(text()).toContain('exchange.example does not answer.');
    expect(all('.book-level')).toHaveLength(12);
    offline = false;
    background.changed();
    await settled();
    expect(text()).not.toContain('does not answer');
  });
});
