import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { bundleExample } from './support/bundle.ts';
import { approveIn, rejectIn, type Stage, setStage } from './support/stage.ts';

/**
 * The three steps of the README's example, bundled with viem as a dApp would be, in a real page.
 */
let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

/** Between connecting and the order the person closes the window. */
function sourceOfExample(): string {
  const [find, connect, order] = blocksOf('README.md')
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text);
  const pause = 'await new Promise((go) => { (window as any).goOn = go; });';
  return `import { createWalletClient, custom, type EIP1193Provider } from 'viem';
    (window as any).example = (async () => {
${[find, connect, pause, order].join('\n')}
return [owner, order];
})();`;
}

const begin = async (page: Page) => page.evaluate(await bundleExample(sourceOfExample()));

const isConnected = (page: Page) => page.waitForFunction(() => 'goOn' in globalThis);

/** @returns The owner and what came of the order, which the user decides. */
async function order(page: Page, decide: (window: Page) => Promise<void>): Promise<unknown[]> {
  await isConnected(page);
  const ordering = stage.extension.nextApproval();
  await page.evaluate(() => (globalThis as unknown as { goOn(): void }).goOn());
  await decide(await ordering);
  return page.evaluate(() => (globalThis as unknown as { example: Promise<unknown[]> }).example);
}

test('the example of the README finds the wallet, connects, and places its order', async () => {
  const page = await stage.page();
  const connecting = stage.extension.nextApproval();
  await begin(page);
  const window = await connecting;
  await approveIn(window);
  // Closed before the click has its effect, it would be a no.
  await isConnected(page);
  await window.close();
  const [owner, placed] = await order(page, approveIn);
  expect(owner).toBe(stage.account.owner);
  expect(placed).toEqual({
    hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    status: 'acknowledged',
    relayerStatus: 'processing',
    storageId: expect.any(Number),
    requestId: expect.any(String),
    clientOrderId: '',
    isIdempotent: false,
  });
  await stage.leave(page);
});

test('the example of the README takes a rejection as the end', async () => {
  const page = await stage.page();
  await begin(page);
  expect(await order(page, rejectIn)).toEqual([stage.account.owner, null]);
  await stage.leave(page);
});
