import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../docs/blocks.ts';
import { bundleExample } from './support/bundle.ts';
import { approveIn, type Stage, setStage } from './support/stage.ts';

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

test('the example of the README finds the wallet, connects, and places its order', async () => {
  const code = await bundleExample(sourceOfExample());
  const page = await stage.page();
  const connecting = stage.extension.nextApproval();
  await page.evaluate(code);
  const window = await connecting;
  await approveIn(window);
  await page.waitForFunction(() => 'goOn' in globalThis);
  await window.close();
  const ordering = stage.extension.nextApproval();
  await page.evaluate(() => (globalThis as unknown as { goOn(): void }).goOn());
  await approveIn(await ordering);
  const [owner, order] = await page.evaluate(() => (window as unknown as { example: Promise<unknown[]> }).example);
  expect(owner).toBe(stage.account.owner);
  expect(order).toEqual({
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
