import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dev } from '../support/dev.ts';
import { request } from './support/site.ts';
import { approveIn, ORDER, type Stage, setStage } from './support/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

interface Told {
  readonly subscription: string;
  readonly began?: true;
  readonly result?: { readonly data: { readonly hash?: string; readonly tokenId?: number } };
  readonly error?: { readonly data: { readonly reason: string } };
}

const SOON = { timeout: 240_000, interval: 50 };

/** What the page was told of its subscriptions. */
const toldTo = (page: Page): Promise<Told[]> =>
  page.evaluate(() =>
    (window as unknown as { events: [string, { type: string; data: Told }][] }).events.flatMap(([, message]) =>
      message.type === 'relayer_subscription' ? [message.data] : [],
    ),
  );
const began = (page: Page) => expect.poll(async () => (await toldTo(page)).filter((told) => told.began).length, SOON);

test('a page hears of its own orders; a worker that was stopped begins again by itself, and what it told is not lost silently', async () => {
  const page = await stage.connectedPage();
  const subscribed = (await request(page, 'relayer_subscribe', [{ topic: 'order' }])) as { result: string };
  const funds = (await request(page, 'relayer_subscribe', [{ topic: 'account' }])) as { result: string };
  await began(page).toBe(2);
  const { window, answer } = await stage.ask(page, 'relayer_submitOrder', [ORDER]);
  await approveIn(window);
  const { hash } = ((await answer) as { result: { hash: string } }).result;
  await expect.poll(async () => (await toldTo(page)).map(({ result }) => result?.data.hash), SOON).toContain(hash);
  await window.close();
  // A worker that is stopped while it hears of that would not hear of it again.
  await stage.extension.closeApprovals();

  // Nothing but the page's own content script wakes the worker again.
  await stage.extension.stopWorker();
  await began(page).toBe(4);
  const before = (await toldTo(page)).length;
  await dev(stage.relayer, 'faucet', { owner: stage.account.owner, tokens: [{ symbol: 'ETH', amount: '1' }] });
  await expect
    .poll(async () => (await toldTo(page)).slice(before).some(({ result }) => result?.data.tokenId === 0), SOON)
    .toBe(true);

  expect(await request(page, 'relayer_unsubscribe', [{ subscription: subscribed.result }])).toEqual({ result: true });
  await stage.extension.ui('lock', {});
  await expect
    .poll(async () => (await toldTo(page)).filter(({ error }) => error), SOON)
    .toMatchObject([{ subscription: funds.result, error: { data: { reason: 'locked' } } }]);
  await stage.leave(page);
});
