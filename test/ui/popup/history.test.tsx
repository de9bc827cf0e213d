// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { UiCallError } from '../../../src/ui/background.ts';
import type { Handlers } from '../support/fakeBackground.ts';
import * as f from '../support/fixtures.ts';
import { all, background, emptyPages, openPopup, root, settled, text } from '../support/page.tsx';

const more = () => [...root.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Show more');
const memo = (number: number) => `memo ${number} of the page`;
const older = f.historyEvent({ id: 'request:1', memo: memo(1), at: f.now - 90 * 86_400_000 });

const open = (handlers: Handlers = {}) =>
  openPopup('#/activity', {
    getActivity: () => f.activity,
    getHistory: () => f.fresh(f.history),
    getHistoryPage: () => ({ events: [older], reach: { next: null, oldest: older.at } }),
    ...handlers,
  });

async function choose(kind: string): Promise<void> {
  const select = root.querySelectorAll('select')[1] as HTMLSelectElement;
  select.value = kind;
  select.dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
}

const shown = () => root.querySelectorAll('.entry').length;

emptyPages();

it('says since when the list is complete, and reads the next page of each list that has one', async () => {
  await open();
  expect(text()).toContain('Complete since Nov 18, 2026');
  const before = shown();
  more()?.click();
  await settled();
  expect(background.callsOf('getHistoryPage')).toEqual([{ account: f.account.id, source: 'request', offset: 50 }]);
  expect(shown()).toBe(before + 1);
  expect(text()).not.toContain('Complete since');
  expect(more()).toBeUndefined();
});

it('looks for the older events of a filter where these stand, and for none where everything is known', async () => {
  await open();
  await choose('orders');
  expect(text()).not.toContain('Complete since');
  expect(more()).toBeUndefined();
  await choose('moves');
  const before = shown();
  more()?.click();
  await settled();
  expect(shown()).toBe(before + 1);
});

it('keeps the older pages when the newest one is read again', async () => {
  await open();
  const before = shown();
  more()?.click();
  await settled();
  (root.querySelector('.section-note button') as HTMLElement).click();
  await settled();
  expect(shown()).toBe(before + 1);
});

it('shows what is not settled first, also behind more newer entries than are drawn', async () => {
  const done = Array.from({ length: 60 }, (_, index) =>
    f.activityItem({ id: `done${index}`, status: 'processed', createdAt: f.now - index * 1_000 }),
  );
  const waits = f.activityItem({ id: 'waits', status: 'acknowledged', createdAt: f.now - 86_400_000 });
  await open({ getActivity: () => [...done, waits], getHistory: () => f.fresh(f.noHistory) });
  const sections = all('section').map((section) => [
    section.getAttribute('aria-label'),
    section.querySelectorAll('.entry').length,
  ]);
  expect(sections[0]).toEqual(['Open', 1]);
  expect(shown()).toBe(40);
});

it('tells a page that cannot be read, and leaves the button', async () => {
  await open({
    getHistoryPage: () => {
      throw new UiCallError('relayer-unreachable', 'error_relayerUnreachable', { host: 'exchange.example' });
    },
  });
  const before = shown();
  more()?.click();
  await settled();
  expect(text()).toContain('exchange.example');
  expect(shown()).toBe(before);
  expect(more()?.disabled).toBe(false);
});

it('rounds what left up and what came down, and puts the sign at the number', async () => {
  const amount = { token: f.eth, volume: '1234567891234567891' };
  const events = [
    f.historyEvent({ id: 'request:2', kind: 'received', amount, at: f.now }),
    f.historyEvent({ id: 'request:1', kind: 'sent', amount, at: f.now - 1000 }),
    f.historyEvent({ id: 'fill:1', kind: 'bought', amount: { ...amount, token: null }, at: f.now - 2000 }),
  ];
  await open({ getActivity: () => [], getHistory: () => f.fresh({ ...f.history, events }) });
  expect(all('.history-amount').map(({ textContent }) => textContent)).toEqual([
    '≈ +1.2345678 ETH',
    '≈ −1.2345679 ETH',
    // In a market that is not known: a number would have no unit.
    '',
  ]);
  for (const head of all('.entry-head')) head.click();
  await settled();
  expect(all('.entry .rows .amount-toggle').map(({ textContent }) => textContent)).toEqual([
    '≈ 1.2345678 ETH',
    '≈ 1.2345679 ETH',
  ]);
});

it('calls a paid deployment what it is, not the payment of it', async () => {
  const contract = { kind: 'address', address: `0x${'12'.repeat(20)}` } as const;
  const amount = { token: f.eth, volume: '11000000000000000' };
  const paid = { kind: 'amount', ...amount } as const;
  const item = f.activityItem({
    ...{ id: 'd1', operation: 'deployNft', group: 'nfts', status: 'processed', hash: f.digest },
    sentence: { key: 'review_deployNft', values: { amount: paid, contract } },
  });
  const event = f.historyEvent({ id: 'request:9', kind: 'sent', hash: f.digest, status: 'processed', amount });
  await open({ getActivity: () => [item], getHistory: () => f.fresh({ ...f.history, events: [event] }) });
  expect(all('.entry-head').map(({ textContent }) => textContent?.includes('Deploy'))).toEqual([true]);
});
