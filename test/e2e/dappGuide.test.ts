import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationMethods } from '../../src/background/pageMethods/operationMethod.ts';
import { readMethods } from '../../src/background/pageMethods/reads.ts';
import { type Block, blocksOf, withChecks } from '../docs/blocks.ts';
import { approveIn, type Stage, setStage } from './support/stage.ts';

const all = blocksOf('docs/dapp.md');
/** The examples of `docs/dapp.md` in a real page with the real extension and relayer; a person approves each question. */
const blocks = all.filter(({ mark }) => mark === 'runs');
/** Answered in a wizard, not by one click: `test/e2e/rotation.test.ts` and `test/background/rotation.test.ts` walk it. */
const inWizard = 'relayer_updateAccountKey';
const LOCAL = 'http://127.0.0.1:4510';

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterAll(() => stage?.close());

const isApproval = (page: Page) => page.url().includes('/src/ui/approval.html');

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
  expect(methods.filter((method) => !text.includes(`'${method}'`))).toEqual([inWizard]);
  expect(all.some((block) => block.text.includes(`'${inWizard}'`))).toBe(true);
});

test('every example holds, one after another', { timeout: 180_000 }, async () => {
  for (const { text } of blocks.filter(({ language }) => language === 'sh'))
    await promisify(execFile)('sh', ['-c', text.replaceAll(LOCAL, stage.relayer.url)]);

  const { context } = stage.extension;
  const page = await context.newPage();
  const failures: unknown[] = [];
  context.on('page', (opened) => {
    opened
      .waitForURL(/./)
      .then(() => (isApproval(opened) ? approveIn(opened) : undefined))
      .catch((error) => failures.push(error));
  });
  let at = 0;
  await page.exposeFunction('__at', async (line: number) => {
    at = line;
    for (const window of context.pages().filter(isApproval)) await window.close();
  });
  await page.goto(stage.site.origin);
  await page.evaluate(scriptOf(blocks.filter(({ language }) => language === 'js'))).catch((error: Error) => {
    throw new Error(`docs/dapp.md, block at line ${at}: ${error.message} ${failures.join(' ')}`);
  });
  expect(at).toBe(blocks.filter(({ language }) => language === 'js').at(-1)?.line);
  await page.close();
});
