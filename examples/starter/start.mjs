/**
 * `npm start`: a relayer, a browser with the test build of the wallet, and this page, loaded anew
 * at each change.
 */
import { openWallet, startRelayer } from 'countersign-viem/testing';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const executablePath = process.env.CHROMIUM;
const relayer = await startRelayer();
const server = await createServer();
await server.listen();
const wallet = await openWallet({
  chromium,
  relayer,
  headless: process.argv.includes('--headless'),
  ...(executablePath ? { executablePath } : {}),
});
const page = await wallet.context.newPage();
await page.goto(server.resolvedUrls?.local[0] ?? '');
console.log(`The page is at ${page.url()}, the relayer at ${relayer.url}. Close the browser to end both.`);
wallet.context.on('close', async () => {
  await server.close();
  await relayer.close();
});
