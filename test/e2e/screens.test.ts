import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DemoAccount, openAccount } from '../../scripts/demo/openAccount.ts';
import { dev, joinLrcEth, LP } from '../support/dev.ts';
import { request } from './support/site.ts';
import { approveIn, ORDER, type Stage, setStage, totalOf } from './support/stage.ts';

/**
 * The relayer carries a request out within seconds; this is the longest that a test waits for it.
 */
const END = { timeout: 240_000, interval: 300 };
const ETHER = 10n ** 18n;
const LRC = 1;

let stage: Stage;
let friend: DemoAccount;
let popup: Page;
beforeAll(async () => {
  stage = await setStage();
  const { client, relayer, extension } = stage;
  friend = await openAccount({ client, baseUrl: relayer.url, funds: { ETH: '1' } });
  const [network] = (await extension.ui('getState', {})).networks;
  await extension.ui('addContact', { networkId: network?.id ?? '', address: friend.owner, name: 'Friend' });
  popup = await extension.open('src/ui/popup.html');
  await popup.setViewportSize({ width: 360, height: 600 });
});
afterAll(() => stage?.close());
beforeEach(() => popup.goto(popup.url().replace(/#.*$/, '#/home')));

const total = (account: DemoAccount, tokenId: number) => totalOf(stage, account, tokenId);

/**
 * Closes what became of it. A good result also gives way by itself, on a busy machine before a
 * pointer reaches its button.
 */
const closeOutcome = () =>
  popup.waitForFunction(() => {
    const approval = document.querySelector('.own-approval');
    const buttons = [...(approval?.querySelectorAll('button') ?? [])];
    buttons.find(({ textContent }) => textContent === 'Close')?.click();
    return approval === null;
  });

/** Presses what starts a question, and approves it in its place: no window opens. */
async function approveAfter(press: () => Promise<unknown>): Promise<void> {
  const pages = stage.extension.context.pages().length;
  await press();
  try {
    await popup.getByText('You started this in').waitFor();
    await approveIn(popup);
    await closeOutcome();
  } catch (error) {
    throw new Error(`the popup shows: ${await popup.locator('body').innerText()}`, { cause: error });
  }
  expect(stage.extension.context.pages()).toHaveLength(pages);
}

const review = () => popup.getByRole('button', { name: 'Review' }).click();

test('a transfer to somebody of the address book: from the popup to both balances', async () => {
  const before = await total(stage.account, LRC);
  await popup.getByRole('link', { name: 'Send', exact: true }).click();
  await popup.getByLabel('Token', { exact: true }).selectOption(String(LRC));
  await popup.getByLabel('Amount').fill('12.5');
  await popup.getByRole('button', { name: /^Friend/ }).click();
  await popup.getByLabel('Exchange fee').selectOption('0');
  await approveAfter(review);
  await expect.poll(() => total(friend, LRC), END).toBe((25n * ETHER) / 2n);
  expect(await total(stage.account, LRC)).toBe(before - (25n * ETHER) / 2n);
  await popup.getByRole('listitem').filter({ hasText: 'LRC' }).getByText('99,987.5').first().waitFor();
});

test('an order of a site is cancelled from the orders screen', async () => {
  const page = await stage.connectedPage();
  const result = await stage.approve<{ hash: string }>(page, 'relayer_submitOrder', [ORDER]);
  // A tab behind another draws one frame a second, and each click waits for two of them.
  await popup.bringToFront();
  await popup.getByRole('navigation').getByRole('link', { name: 'Orders' }).click();
  await popup.getByRole('button', { name: /Sell 100 LRC/ }).click();
  await approveAfter(() => popup.getByRole('button', { name: 'Cancel this order' }).click());
  await popup.getByText('No open orders.').waitFor();
  const { accountId, apiKey } = stage.account;
  const order = await stage.client.getOrder({ query: { accountId, orderHash: result.hash }, apiKey });
  expect(order.status).toBe('cancelled');
  await popup.getByRole('link', { name: 'History' }).click();
  await popup.getByText('Cancelled').waitFor();
  expect(await request(page, 'eth_accounts')).toEqual({ result: [stage.account.owner] });
  await page.close();
});

test('a limit order is placed on the Trade screen and stands among the open orders there', async () => {
  await popup.getByRole('link', { name: 'Trade', exact: true }).click();
  // What the exchange says about the market comes with the code of the screen, when it is opened.
  await popup.getByRole('heading', { name: 'Order book' }).waitFor();
  await popup.getByLabel('Market').selectOption('LRC-ETH');
  await popup.locator('.book-asks .book-level').first().click();
  await expect.poll(() => popup.getByLabel('Price', { exact: true }).inputValue()).toMatch(/^0\.0000/);
  await popup.getByLabel('Sell LRC').check();
  await popup.getByLabel('Price', { exact: true }).fill('0.0005');
  await popup.getByLabel('Amount', { exact: true }).fill('250');
  await popup.getByText('0.1242125 ETH').waitFor();
  await approveAfter(review);
  const { accountId, apiKey } = stage.account;
  const { orders } = await stage.client.getOrders({ query: { accountId, status: 'processing' }, apiKey });
  expect(orders.map(({ side, volumes }) => [side, volumes.baseAmount, volumes.quoteAmount])).toEqual([
    ['SELL', String(250n * ETHER), String(ETHER / 8n)],
  ]);
  await popup.getByRole('button', { name: /Sell 250 LRC/ }).click();
  await approveAfter(() => popup.getByRole('button', { name: 'Cancel this order' }).click());
  await popup.getByText('No open orders.').waitFor();
});

test('half of a share of a pool is taken out, and the history says so', async () => {
  const { account } = stage;
  await joinLrcEth(stage.relayer, account.owner);
  await expect.poll(() => total(account, LP), END).toBeGreaterThan(0n);
  const share = await total(account, LP);
  await popup.getByRole('link', { name: 'More' }).click();
  await popup.getByRole('link', { name: 'Pools' }).click();
  await popup.getByRole('link', { name: 'Remove liquidity' }).click();
  await popup.getByLabel('50%').check();
  await approveAfter(review);
  await expect.poll(() => total(account, LP), END).toBe(share - share / 2n);
  await popup.getByRole('listitem').filter({ hasText: 'Left' }).getByText('Done').waitFor();
});

test('an NFT changes hands from its own page', async () => {
  const { account, client } = stage;
  await dev(stage.relayer, 'nftDeposit', {
    owner: account.owner,
    tokenAddress: `0x${'ab'.repeat(20)}`,
    nftId: `0x${'17'.repeat(32)}`,
    amount: '3',
  });
  await popup.getByRole('link', { name: 'NFTs' }).click();
  await popup.locator('.nft-card').first().click();
  await popup.getByRole('link', { name: 'Send', exact: true }).click();
  await popup.getByLabel('Amount').fill('2');
  await popup.getByRole('button', { name: /^Friend/ }).click();
  await approveAfter(review);
  const { accountId, apiKey } = friend;
  await expect
    .poll(async () => (await client.getNftBalances({ query: { accountId }, apiKey })).data.map((nft) => nft.total), END)
    .toEqual(['2']);
});
