import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from './support/site.ts';
import { approveIn, ORDER, rejectIn, type Stage, setStage } from './support/stage.ts';

/** Standing approvals and slot tools as a person and a page meet them. */

let stage: Stage;
let page: Page;
beforeAll(async () => {
  stage = await setStage();
  page = await stage.connectedPage();
});
afterAll(() => stage?.close());

const LRC = 10n ** 18n;
const order = (number: number, lrc = 100n) => ({
  ...ORDER,
  sellToken: { tokenId: 1, volume: `${lrc * LRC}` },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
  clientOrderId: `standing-${number}`,
});
const windows = () => stage.extension.context.pages().filter((one) => one.url().includes('/src/ui/approval.html'));
const closeWindows = async () => {
  for (const window of windows()) await window.close();
};

/** Asks for an order, expects a window, and rejects it there. */
async function expectWindow(number: number, lrc?: bigint) {
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [order(number, lrc)]);
  await rejectIn(window);
  expect(await answer).toMatchObject({ error: { code: 4001 } });
  await closeWindows();
}

test('asked once, three orders need no window; the meter tells, beyond the limit and after the stop a window opens', async () => {
  const { window, answer } = await stage.ask(page, 'relayer_requestStandingApproval', [
    {
      sellTokenId: 1,
      buyTokenId: 0,
      minPrice: '0.0004',
      orderVolume: `${100n * LRC}`,
      totalVolume: `${500n * LRC}`,
      rate: { requests: 20, seconds: 60 },
      validUntil: Math.floor(Date.now() / 1000) + 3_600,
    },
  ]);
  await window.getByText('without asking you each time').waitFor();
  await approveIn(window);
  expect(await answer).toMatchObject({ result: { id: expect.any(String) } });
  await closeWindows();

  for (const number of [1, 2, 3])
    expect(await request(page, 'relayer_submitOrder', [order(number)])).toMatchObject({
      result: { status: 'acknowledged', clientOrderId: `standing-${number}` },
    });
  expect(windows()).toHaveLength(0);

  const popup = await stage.extension.open('src/ui/popup.html#/sites');
  const meter = popup.getByRole('meter');
  await meter.waitFor();
  expect(await meter.getAttribute('value')).toBe('60');
  await popup.getByText('3 of 20 in the last 60 s').waitFor();
  // More in one order than allowed: the limits hold, and the person is asked.
  await expectWindow(4, 101n);
  expect(await request(page, 'relayer_submitOrder', [order(5)])).toHaveProperty('result');
  // The meter follows by itself.
  await expect.poll(() => meter.getAttribute('value')).toBe('80');

  await popup.getByRole('button', { name: 'Stop all' }).click();
  await popup.getByRole('button', { name: 'Really stop all' }).click();
  await meter.waitFor({ state: 'detached' });
  await expectWindow(6);
  const events = await page.evaluate(() => (window as unknown as { events: unknown[] }).events);
  expect(events).toContainEqual([
    'message',
    expect.objectContaining({
      type: 'relayer_standingApproval',
      data: expect.objectContaining({ status: 'ended', reason: 'user' }),
    }),
  ]);
  await popup.close();
});

test('the activity list names the rule and replaces an order in its slot', async () => {
  const popup = await stage.extension.open('src/ui/popup.html#/activity');
  const entry = popup.locator('.entry').first();
  await entry.locator('.entry-head').click();
  await entry.getByText('Approved by').waitFor();
  await entry.getByText('up to 500 LRC').waitFor();
  await entry.getByRole('link', { name: 'Replace' }).click();
  await popup.getByLabel('For at least, before the fee').fill('0.06');
  await popup.getByRole('button', { name: 'Review' }).click();
  await popup.getByText('Replace an open order').waitFor();
  await approveIn(popup);
  const { client, account } = stage;
  const query = { accountId: account.accountId, limit: 50 };
  const listed = async () => (await client.getOrders({ query, apiKey: account.apiKey })).orders;
  await expect
    .poll(async () => (await listed()).find(({ clientOrderId }) => clientOrderId === 'standing-5')?.status)
    .toBe('cancelled');
  const [old, next] = [
    (await listed()).find(({ clientOrderId }) => clientOrderId === 'standing-5'),
    (await listed()).find(({ volumes }) => volumes.quoteAmount === '60000000000000000'),
  ];
  expect(next?.status).toBe('processing');
  expect((next?.storageInfo?.storageId ?? 0) - (old?.storageInfo?.storageId ?? 0)).toBe(16_384);
  await popup.close();
});
