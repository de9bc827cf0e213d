import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationMethods } from '../../src/background/rpc/page/operationMethod.ts';
import { readMethods } from '../../src/background/rpc/page/reads.ts';
import { type Block, blocksOf, withChecks } from '../docs/blocks.ts';
import { bundleExample } from './support/bundle.ts';
import { isApproval } from './support/extension.ts';
import { approveIn, type Stage, setStage } from './support/stage.ts';
import { approveKeyUpdate } from './support/wizard.ts';

const all = blocksOf('docs/dapp.md');
/**
 * The examples of `docs/dapp.md` in a real page with the real extension and relayer; a person
 * approves each question.
 */
const blocks = all.filter(({ mark }) => mark === 'runs');
const LOCAL = 'http://127.0.0.1:4510';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

const approvable = (window: Page) => window.getByTestId('approve');
const keyUpdate = (window: Page) => window.getByText('This site asks you to replace the account key');
/**
 * On a slow machine the window of a request that was taken back is still there when the next one
 * comes.
 */
const goOn = (window: Page) => window.getByRole('button', { name: 'Next request' });

/** A window may have loaded before anybody waits for it; what is waited for then is its button. */
const COMMITTED = { waitUntil: 'commit' } as const;

/** Approves the question of a window; a new key is asked for by a screen of its own. */
async function approveOrReplace(window: Page): Promise<void> {
  await approvable(window).or(keyUpdate(window)).or(goOn(window)).first().waitFor();
  if (await goOn(window).isVisible()) await goOn(window).click();
  else if (await keyUpdate(window).isVisible()) await approveKeyUpdate(window);
  else await approveIn(window);
}

/**
 * Approves what a window asks until it closes: it goes on by itself to a request that comes while
 * the result of the one before is still shown.
 */
async function approveAll(window: Page): Promise<void> {
  for (;;) {
    const answered = window.url();
    await approveOrReplace(window);
    // With the last answer it stays until it is closed.
    const isNext = (url: URL) => url.pathname.endsWith('/approval.html') && url.href !== answered;
    await window.waitForURL(isNext, { ...COMMITTED, timeout: 0 });
  }
}

/** All blocks as one script; the page says before each which one it is at. */
function scriptOf(list: readonly Block[]): string {
  const parts = list.map(({ text, line }) => `await __at(${line});\n${withChecks(text)}`);
  return `(async () => {
    const __compare = (claim, found, expected) => {
      const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
      if (a !== b) throw new Error(claim + ' gave ' + a + ', not ' + b);
    };
    ${parts.join('\n')}
  })()`.replaceAll(LOCAL, stage.relayer.url);
}

test('has an example of every operation and every read', () => {
  const text = blocks.map((block) => block.text).join('\n');
  const methods = [...operationMethods, ...readMethods].map(({ name }) => name);
  expect(methods.filter((method) => !text.includes(`'${method}'`))).toEqual([]);
});

test('every block is executed: by this file, or the relayer’s start by that of the operators', () => {
  const operators = blocksOf('docs/operator.md').filter(({ mark }) => mark.startsWith('runs'));
  const others = all.filter(({ mark }) => mark !== 'runs').map(({ text }) => text);
  expect(others).toEqual(['npm run relayer -- --dev']);
  expect(operators.some(({ text }) => text.startsWith(others[0] ?? '-'))).toBe(true);
  expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(['js', 'sh', 'ts']);
});

test('the example with viem finds the wallet, places an order, and follows it', async () => {
  const [example] = blocks.filter(({ language }) => language === 'ts');
  const page = await stage.page();
  const title = await page.title();
  const connecting = stage.extension.nextApproval();
  await page.evaluate(await bundleExample(example?.text ?? ''));
  const window = await connecting;
  await approveIn(window);
  // The next question answers to no pointer that rested where its button appeared.
  await window.mouse.move(1, 1);
  // The order follows at once, so that the window goes on to it by itself; a slow page gets another
  // one.
  const another = stage.extension.nextApproval().catch(() => window);
  const goesOn = window
    .getByText('LRC')
    .first()
    .waitFor()
    .then(() => window)
    .catch(() => another);
  await approveIn(await Promise.race([goesOn, another]));
  await page.waitForFunction((old) => document.title !== old, title);
  await stage.extension.ui('revokeSite', { origin: stage.site.origin });
  expect(await page.title()).toBe('acknowledged');
  await stage.leave(page);
});

// Some sixty requests, each with its window, of which a busy machine opens one in ten seconds.
test('every example holds, one after another', { timeout: 1_200_000 }, async ({ onTestFailed }) => {
  for (const { text } of blocks.filter(({ language }) => language === 'sh'))
    await promisify(execFile)('sh', ['-c', text.replaceAll(LOCAL, stage.relayer.url)]);

  const { context } = stage.extension;
  const page = await context.newPage();
  let fail = (_error: unknown) => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  context.on('page', (opened) => {
    opened
      .waitForURL(/./, COMMITTED)
      .then(() => (isApproval(opened) ? approveAll(opened) : undefined))
      .catch((error) => opened.isClosed() || fail(error));
  });
  let at = 0;
  onTestFailed(() => console.error(`docs/dapp.md, block at line ${at}`));
  await page.exposeFunction('__at', async (line: number) => {
    at = line;
    await stage.extension.closeApprovals();
  });
  await page.goto(stage.site.origin);
  await Promise.race([page.evaluate(scriptOf(blocks.filter(({ language }) => language === 'js'))), failed]);
  expect(at).toBe(blocks.filter(({ language }) => language === 'js').at(-1)?.line);
  await page.close();
});
