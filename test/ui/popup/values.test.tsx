// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import type { PricesView, Settings, Stored } from '../../../src/messaging/views.ts';
import { UiCallError } from '../../../src/ui/background.ts';
import { totalWorth, worthOf } from '../../../src/ui/shared/values.ts';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { background, emptyPages, openPopup, root, settled } from '../support/page.tsx';

const total = () => root.querySelector('.total')?.textContent ?? '';
/** What stands under each amount, without what is only said. */
const worths = () =>
  [...root.querySelectorAll('.balance')].map((row) => row.querySelector('.worth bdi')?.textContent ?? null);

async function open(stored: Stored<PricesView>, handlers: Handlers = {}, settings: Partial<Settings> = {}) {
  await openPopup('', {
    getState: () => ({ ...f.wallet, settings: { ...f.wallet.settings, ...settings } }),
    getHome: () => ({ ...f.home, balances: f.balances }),
    getActivity: () => [],
    getAttention: () => [],
    getPrices: () => stored,
    ...handlers,
  });
}

emptyPages();
beforeEach(() => {
  vi.spyOn(Date, 'now').mockReturnValue(f.now);
});

it('shows what each balance and all of them are worth, how that moved, and whose prices these are', async () => {
  await open(f.fresh(f.prices));
  expect(worths()).toEqual(['≈ 7,540.48 USD', '≈ 36,997.50 USD', '≈ 12,499.99 USD']);
  expect(root.querySelector('.total-value .worth')?.textContent).toBe('≈ 57,037.97 USDabout 57,037.97 USD');
  expect(total()).toContain('−1.12% in 24 h');
  expect(total()).toContain('At the exchange’s own prices');
  expect(total()).not.toContain('without');
  expect(background.callsOf('getPrices')).toEqual([
    { account: f.account.id, refresh: false },
    { account: f.account.id, refresh: true },
  ]);
});

it('asks for prices only once the balances are drawn', async () => {
  let answer: (home: typeof f.home) => void = () => undefined;
  await open(f.fresh(f.prices), { getHome: () => new Promise((done) => (answer = done)) });
  expect(background.callsOf('getPrices')).toEqual([]);
  expect(root.querySelector('.total')).not.toBeNull();
  answer(f.home);
  await settled();
  expect(background.callsOf('getPrices')).toHaveLength(2);
});

it('values nothing without a price, and says that the total lacks it', async () => {
  await open(f.fresh(f.fewPrices));
  expect(worths()).toEqual(['≈ 7,540.48 USD', null, '≈ 12,499.99 USD']);
  expect(root.querySelector('.total-value')?.textContent).toContain('≈ 20,040.47 USD');
  expect(total()).toContain('without 1 token');
});

it('tells no change when one of the tokens that count has none', async () => {
  const rates = f.prices.rates.map((rate, index) => (index === 1 ? { ...rate, before: null } : rate));
  await open(f.fresh({ ...f.prices, rates }));
  expect(total()).toContain('57,037.97 USD');
  expect(total()).not.toContain('24 h');
});

it('says how old old prices are, in the place of a change', async () => {
  await open(f.oldPrices);
  expect(root.querySelector('.total-source')?.textContent).toBe('At the exchange’s own prices, 3 hours ago');
  expect(total()).not.toContain('24 h');
});

it('says where there is no price at all, and leads to the setting', async () => {
  await open(f.fresh(f.noPrices));
  expect(worths()).toEqual([null, null, null]);
  expect(total()).toBe('This exchange has no current prices in USD. Settings');
  expect(root.querySelector('.total a')?.getAttribute('href')).toBe('#/settings');
});

it('keeps the places of the values while the exchange has not answered', async () => {
  await open(f.fresh(f.prices), { getPrices: () => new Promise(() => undefined) });
  expect(total()).toBe('');
  expect(worths()).toEqual([null, null, null]);
  expect([...root.querySelectorAll('.balance-part')].filter((part) => part.textContent === '\u00a0')).toHaveLength(3);
});

it.each<[string, boolean, string]>([
  ['are known before', true, '57,037.97 USD'],
  ['are not', false, ''],
])('calls prices missing neither where they %s, when the background does not answer', async (_when, isKnown, shown) => {
  const getPrices = ({ refresh }: { refresh: boolean }) => {
    if (refresh || !isKnown) throw new UiCallError('no-answer', 'errorNoAnswer');
    return f.fresh(f.prices);
  };
  await open(f.fresh(f.prices), { getPrices });
  expect(total()).toContain(shown);
  expect(total()).not.toContain('no current prices');
});

it('says nothing of prices that could not be asked for', async () => {
  await open({ data: null, at: null, problem: { key: 'error_unknown' } });
  expect(total()).toBe('');
});

it('shows and asks nothing where no values are wanted', async () => {
  await open(f.fresh(f.prices), {}, { currency: '' });
  expect(root.querySelector('.total, .worth')).toBeNull();
  expect(background.callsOf('getPrices')).toEqual([]);
});

it('does not value a token in itself', async () => {
  await open(f.fresh({ ...f.prices, currency: 'USDT' }), {}, { currency: 'USDT' });
  expect(worths()).toEqual(['≈ 7,540.4 USDT', '≈ 36,997 USDT', null]);
});

it('offers what the exchange has prices in, what is chosen, and no values', async () => {
  const chosen = { ...f.wallet, settings: { ...f.wallet.settings, currency: '' } };
  await open(
    f.fresh(f.noPrices),
    { getCurrencies: () => ['USD', 'ETH'], setSettings: () => chosen },
    { currency: 'EUR' },
  );
  location.hash = '#/settings';
  await settled();
  const select = [...root.querySelectorAll('select')].find((one) => one.value === 'EUR') as HTMLSelectElement;
  expect([...select.options].map(({ text }) => text)).toEqual(['No values', 'USD', 'ETH', 'EUR']);
  select.value = '';
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
  expect(background.callsOf('setSettings')).toEqual([{ currency: '' }]);
});

it('reckons with what a relayer that lies could say', () => {
  // One of the three is worth less than anything: 10^78 of it are a token.
  expect(totalWorth(f.bigBalances, f.absurdPrices)).toMatchObject({ without: 2, changeBips: null });
  const risen = f.prices.rates.map((rate) => ({ ...rate, before: '1' }));
  expect(totalWorth(f.balances, { ...f.prices, rates: risen }).changeBips).toBeNull();
  const ether = { ...(f.balances[0] as (typeof f.balances)[0]), total: `1${'0'.repeat(26)}` };
  expect(totalWorth([ether], f.prices).now).toBe(30_124n * 10n ** 37n);
  expect(totalWorth(Array(100).fill(ether), f.prices).now).toBeNull();
  expect(worthOf('not a number', f.eth, f.prices)).toBeNull();
  expect(totalWorth([], f.noPrices)).toEqual({ now: 0n, changeBips: null, without: 0 });
  expect(totalWorth([], null)).toEqual({ now: null, changeBips: null, without: 0 });
});

it('marks well-known tokens by their contract, whatever they call themselves, and others by their letter', async () => {
  const [known] = f.balances;
  const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
  const held = [
    { ...(known as NonNullable<typeof known>), token: { ...f.usdt, symbol: 'XYZ', address: contract } },
    { ...(known as NonNullable<typeof known>), token: { ...f.usdt, tokenId: 9, address: f.points.address } },
  ];
  await open(f.fresh(f.prices), { getHome: () => ({ ...f.home, balances: held }) });
  const dots = [...root.querySelectorAll('.token-dot')];
  expect(dots.map((dot) => [dot.textContent, dot.querySelector('path') !== null])).toEqual([
    ['', true],
    ['U', false],
  ]);
});
