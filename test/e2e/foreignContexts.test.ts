import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentWorld } from './support/contentWorld.ts';
import { launchExtension } from './support/extension.ts';
import { foreignWorker } from './support/otherWallet.ts';
import { request, type Site, serveSite } from './support/site.ts';
import { PASSWORD, type Stage, setStage } from './support/stage.ts';

/**
 * Contexts that run beside the wallet's own code: content scripts of strange tabs, and another
 * extension that debugs them.
 */
let stage: Stage;
let strange: Site;
let debuggerExtension: string;

/** An extension whose only power is the `debugger` permission. */
async function writeDebuggerExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-debugger-'));
  const manifest = {
    manifest_version: 3,
    name: 'debugger',
    version: '1',
    permissions: ['debugger', 'tabs'],
    background: { service_worker: 'worker.js' },
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'worker.js'), '');
  await writeFile(join(folder, 'page.html'), '');
  return folder;
}

beforeAll(async () => {
  debuggerExtension = await writeDebuggerExtension();
  strange = await serveSite();
  stage = await setStage();
});

afterAll(async () => {
  await stage?.close();
  await strange?.close();
  await rm(debuggerExtension, { recursive: true, force: true });
});

/** What an attacker tries on both areas: each attempt with what came of it. */
const ATTEMPTS = `
  const grants = [{ account: 'x', kinds: ['read', 'orders', 'transfers', 'sign'] }];
  const said = (work) => Promise.resolve().then(work).then(() => 'done', (error) => String(error.message));
  const outcomes = [];
  for (const area of [chrome.storage.local, chrome.storage.session]) {
    outcomes.push(await said(() => area.get()));
    outcomes.push(await said(() => area.getKeys?.() ?? area.get()));
    outcomes.push(await said(() => area.set({ config: {}, standing: [], sites: [{ origin: location.origin, grants, blocked: false }] })));
    outcomes.push(await said(() => area.remove(['vault:a', 'vault:b', 'vault:current'])));
    outcomes.push(await said(() => area.clear()));
    outcomes.push(await said(() => area.setAccessLevel({ accessLevel: 'TRUSTED_AND_UNTRUSTED_CONTEXTS' })));
  }
  return outcomes;
`;

const REFUSED = expect.stringMatching(/Access to storage is not allowed|Context cannot set the storage access level/);

const strangeTab = async ({ context }: Pick<Stage['extension'], 'context'>): Promise<Page> => {
  const tab = await context.newPage();
  await tab.goto(strange.origin);
  return tab;
};

test('the content script of a site that was never connected can neither read nor write what is stored', async () => {
  const tab = await strangeTab(stage.extension);
  const run = await contentWorld(stage.extension, tab);
  const state = await stage.extension.ui('getState', {});
  expect(await run('return typeof chrome.storage.local.get')).toBe('function');
  expect(await run(ATTEMPTS)).toEqual(Array(12).fill(REFUSED));
  expect(await stage.extension.ui('getState', {})).toEqual(state);
  expect(await request(tab, 'eth_accounts')).toEqual({ result: [] });
  await tab.close();
});

test('a content script hears nothing of what the wallet writes', async () => {
  const tab = await strangeTab(stage.extension);
  const run = await contentWorld(stage.extension, tab);
  await run(
    'globalThis.heard = []; chrome.storage.onChanged.addListener((changes) => heard.push(Object.keys(changes)));',
  );
  const page = await stage.connectedPage();
  expect(await run('return heard')).toEqual([]);
  await stage.leave(page);
  await tab.close();
});

test('storage is closed from the installation on, also to an extension with the debugger permission, and while no worker runs', async () => {
  const extension = await launchExtension([debuggerExtension]);
  try {
    // A page, which lives on while workers are stopped.
    const other = await extension.context.newPage();
    await other.goto(new URL('page.html', (await foreignWorker(extension.context, extension.id)).url()).href);
    const attack = (origin: string) =>
      other.evaluate(
        async ([ownOrigin, tabOrigin, body]) => {
          const tabs = await chrome.tabs.query({});
          const target = { tabId: tabs.find(({ url }) => url?.startsWith(tabOrigin))?.id ?? 0 };
          const worlds: { id: number; origin: string }[] = [];
          chrome.debugger.onEvent.addListener((_source, method, params) => {
            if (method === 'Runtime.executionContextCreated')
              worlds.push((params as { context: { id: number; origin: string } }).context);
          });
          await chrome.debugger.attach(target, '1.3');
          try {
            await chrome.debugger.sendCommand(target, 'Runtime.enable');
            const contextId = worlds.find((world) => world.origin === ownOrigin)?.id;
            if (contextId === undefined) return 'no content script of the wallet';
            const expression = `(async () => { ${body} })()`;
            const evaluated = (await chrome.debugger.sendCommand(target, 'Runtime.evaluate', {
              expression,
              contextId,
              awaitPromise: true,
              returnByValue: true,
            })) as { result: { value: unknown } };
            return evaluated.result.value;
          } finally {
            await chrome.debugger.detach(target);
          }
        },
        [`chrome-extension://${extension.id}`, origin, ATTEMPTS] as const,
      );
    const tab = await strangeTab(extension);
    expect(await attack(strange.origin)).toEqual(Array(12).fill(REFUSED));
    await extension.ui('createVault', { password: PASSWORD });
    await extension.stopWorker();
    expect(await attack(strange.origin)).toEqual(Array(12).fill(REFUSED));
    expect(await request(tab, 'eth_accounts')).toEqual({ result: [] });
    await extension.ui('lock', {});
    expect((await extension.ui('unlock', { password: PASSWORD })).vault).toBe('unlocked');
  } finally {
    await extension.close();
  }
});
