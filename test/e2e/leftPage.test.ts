import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, serveSite } from './support/site.ts';
import { ORDER, type Stage, setStage } from './support/stage.ts';

const LEFT = 'The page that asked was closed or left, so the request ended. Nothing was signed.';

let stage: Stage;
let elsewhere: Site;
beforeAll(async () => {
  [stage, elsewhere] = await Promise.all([setStage(), serveSite()]);
});
afterAll(async () => {
  await stage?.close();
  await elsewhere?.close();
});

const openOrders = async () => {
  const { client, account } = stage;
  return (await client.getOrders({ query: { accountId: account.accountId }, apiKey: account.apiKey })).orders;
};

/**
 * A window whose request ends as it opens goes by itself; one that the user has seen stays and says
 * why.
 */
const ofSomeAge = async (window: Page) => {
  await window.getByTestId('approve').waitFor();
  await window.waitForFunction(() => performance.now() > 1_500);
};

test.each([
  ['goes on to another site', (tab) => tab.goto(elsewhere.origin)],
  ['is loaded again', (tab) => tab.reload()],
  ['is closed', (tab) => tab.close()],
] satisfies [string, (tab: Page) => Promise<unknown>][])(
  'a request whose page %s ends: the window says so and has no button to approve it',
  async (_how, leave) => {
    const tab = await stage.connectedPage();
    const { window, answer } = await stage.ask(tab, 'relayer_submitOrder', [ORDER]);
    answer.catch(() => {});
    await ofSomeAge(window);
    await leave(tab);
    await window.getByText(LEFT).waitFor();
    expect(await window.getByTestId('approve').count()).toBe(0);
    expect(await stage.extension.ui('listApprovals', {})).toEqual([]);
    expect(await openOrders()).toEqual([]);
    await window.close();
    if (!tab.isClosed()) await tab.close();
  },
);

test('a page whose tab crashed is found to be gone at the click', async () => {
  const { extension } = stage;
  const tab = await stage.connectedPage();
  const { window, answer } = await stage.ask(tab, 'relayer_submitOrder', [ORDER]);
  answer.catch(() => {});
  await ofSomeAge(window);
  const [open] = await extension.ui('listApprovals', {});
  const session = await extension.context.newCDPSession(tab);
  session.send('Page.crash').catch(() => {});
  await tab.waitForEvent('crash');
  const { id, digest, account } = await extension.ui('getApproval', { id: open?.id ?? '' });
  const click = await extension.uiAnswer('approve', { id, digest: digest ?? '', account: account?.id ?? null });
  expect(click).toMatchObject({ ok: false, error: { code: 'approval-gone' } });
  await window.getByText(LEFT).waitFor();
  expect(await openOrders()).toEqual([]);
});
