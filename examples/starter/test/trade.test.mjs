import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openWallet, startRelayer } from 'countersign-viem/testing';
import { chromium } from 'playwright-core';
import { preview } from 'vite';

const executablePath = process.env.CHROMIUM;
let relayer;
let wallet;
let server;
let page;

before(async () => {
  [relayer, server] = await Promise.all([startRelayer(), preview()]);
  wallet = await openWallet({ chromium, relayer, ...(executablePath ? { executablePath } : {}) });
  page = await wallet.context.newPage();
  await page.goto(server.resolvedUrls.local[0]);
});
after(async () => {
  await wallet?.close();
  await server?.close();
  await relayer?.close();
});

const said = (text) => page.locator('#message', { hasText: text }).waitFor();

test('the user connects', async () => {
  await page.getByRole('button', { name: 'Connect' }).click();
  assert.match(await wallet.approve(), /Connect this site to your wallet\?/);
  await page.locator('#account', { hasText: wallet.address }).waitFor();
});

test('an order that cannot be taken asks nobody', async () => {
  await page.locator('[name=size]').fill('900000000');
  await page.getByRole('button', { name: 'Place order' }).click();
  await said('size: ');
});

test('the user rejects an order', async () => {
  await page.locator('[name=size]').fill('1000');
  await page.getByRole('button', { name: 'Place order' }).click();
  await wallet.reject();
  await said('You rejected it.');
});

test('the user places an order, sees it, and cancels it', async () => {
  await page.getByRole('button', { name: 'Place order' }).click();
  assert.match(await wallet.approve(), /1,000/);
  await said('Order acknowledged');
  await page.locator('#orders li', { hasText: 'SELL at 0.0005' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await wallet.approve();
  await said('Order cancelled');
  await page.locator('#orders li').waitFor({ state: 'detached' });
});

test('a page that the user disconnected in the wallet shows it', async () => {
  await wallet.disconnect(new URL(page.url()).origin);
  await page.locator('#account', { hasText: 'Not connected' }).waitFor();
});
