import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../src/demo/prepare.mjs';
import { blocksOf } from '../docs/blocks.ts';
import { approveIn, type Stage, setStage } from './support/stage.ts';

/** The three steps of the README's example, bundled with viem as a dApp would be, in a real page. */
let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

async function bundle(): Promise<string> {
  const steps = blocksOf('README.md').filter(({ language }) => language === 'ts');
  // Between connecting and the order the person closes the window.
  const pause = 'await new Promise((go) => { (window as any).goOn = go; });';
  const [find, connect, order] = steps.map(({ text }) => text);
  const source = `import { createWalletClient, custom, type EIP1193Provider } from 'viem';
    (window as any).example = (async () => {
${[find, connect, pause, order].join('\n')}
return [owner, order];
})();`;
  const entry = join(root, 'readmeExample.ts');
  const made = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'readme',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: { write: false, minify: false, rollupOptions: { input: entry, output: { format: 'iife' } } },
  });
  const [result] = Array.isArray(made) ? made : [made];
  if (!result || !('output' in result)) throw new Error('the example was not bundled');
  return result.output[0].code;
}

test('the example of the README finds the wallet, connects, and places its order', async () => {
  const code = await bundle();
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
    status: 'processing',
    storageId: expect.any(Number),
    requestId: expect.any(String),
    clientOrderId: '',
    isIdempotent: false,
  });
  await stage.leave(page);
});
