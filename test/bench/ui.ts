import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { generatePrivateKey } from 'viem/accounts';
import { createRelayerClient } from '../../src/client/index.ts';
import { openAccount } from '../../src/demo/openAccount.ts';
import { buildAll, findOrInstallChromium } from '../../src/demo/prepare.mjs';
import type { UiMethod, UiParams, UiResults } from '../../src/messaging/uiMethods.ts';
import { createRelayer } from '../../src/relayer/createRelayer.ts';
import { defaultKdfCost } from '../../src/vault/kdf.ts';
import { serveSite } from '../e2e/support/site.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median, ratioOf } from './support/rounds.ts';
import { writeMinimalExtension } from './support/ui/minimalExtension.ts';

/**
 * How long people wait: the built extension beside a minimal one in the same Chromium, in turn, round after round. Before each
 * cold round both workers are stopped. Times are wall-clock moments of the browser (`timeOrigin + now()`). `--short` takes one round
 * of each, to see that the bench works; its figures mean nothing.
 */
const isShort = process.argv.includes('--short');
const ROUNDS = isShort ? 1 : 12;
const MANY_ACCOUNTS = isShort ? 2 : 50;
const UNLOCK_ROUNDS = isShort ? 1 : 6;
const PASSWORD = 'correct horse battery staple';
const ORDER = {
  sellToken: { tokenId: 1, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
};

/** Wall-clock moments that a page reports of itself: `painted` the first contentful paint, `usable` the marked element on the screen. */
const watchPage = `(() => {
  const marks = (globalThis.marks = {});
  const wall = (time) => performance.timeOrigin + time;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'first-contentful-paint') marks.painted = wall(entry.startTime);
  }).observe({ type: 'paint', buffered: true });
  const look = () => {
    if (marks.usable !== undefined || document.querySelector('[data-testid=approve], .balance, #total:not(:empty)') === null) return;
    marks.usable = -1;
    // The frame after the one that draws it.
    requestAnimationFrame(() => requestAnimationFrame(() => { marks.usable = wall(performance.now()); }));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  // A window that the extension opened may have been drawn before the browser let this script in.
  look();
})()`;

interface Marks {
  readonly painted: number;
  readonly usable: number;
}

/** Looks again and again from here: the page's own policy forbids what Playwright's waiting would evaluate in it. */
async function marksOf(page: Page): Promise<Marks> {
  const end = Date.now() + 15_000;
  while (Date.now() < end) {
    const marks = (await page.evaluate('globalThis.marks').catch(() => undefined)) as Partial<Marks> | undefined;
    if (marks?.painted !== undefined && (marks.usable ?? -1) > 0) return marks as Marks;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`${page.url()} was not usable within 15 s`);
}

/** Milliseconds until the background of the extension that `page` belongs to has answered. */
const answerTime = (page: Page, message: object): Promise<number> =>
  page.evaluate(async (given) => {
    const started = performance.now();
    await chrome.runtime.sendMessage(given);
    return performance.now() - started;
  }, message);

async function stopWorkers(context: BrowserContext, pages: readonly Page[]): Promise<void> {
  for (const page of pages) {
    const cdp = await context.newCDPSession(page);
    await cdp.send('ServiceWorker.enable');
    await cdp.send('ServiceWorker.stopAllWorkers');
    await cdp.detach();
  }
  // Stopping is asked for, not awaited, by the browser's interface.
  await new Promise((done) => setTimeout(done, 150));
}

export const run: BenchRun = async (say) => {
  await buildAll({ show: false });
  const scratch = await mkdtemp(join(tmpdir(), 'countersign-bench-ui-'));
  const minimalFolder = join(scratch, 'minimal');
  await writeMinimalExtension(minimalFolder);
  const ownFolder = resolve(import.meta.dirname, '../../dist/chromium');
  const relayer = await createRelayer({ dev: true, port: 0, logLevel: 'silent', requestsPerSecond: 1000 });
  const site = await serveSite();
  const context = await chromium.launchPersistentContext(join(scratch, 'profile'), {
    executablePath: await findOrInstallChromium(() => {}),
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      `--disable-extensions-except=${ownFolder},${minimalFolder}`,
      `--load-extension=${ownFolder},${minimalFolder}`,
    ],
  });
  try {
    await context.addInitScript(watchPage);
    const ids = await extensionIds(context);
    const openPage = async (url: string) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    };
    /** A page to ask from, whose own scripts are off: what they would ask on every change would be measured too. */
    const openQuiet = async (url: string) => {
      const page = await openPage(url);
      const cdp = await context.newCDPSession(page);
      await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
      await page.reload();
      return page;
    };
    const own = await openQuiet(`chrome-extension://${ids.own}/src/ui/receipt.html`);
    const minimal = await openQuiet(`chrome-extension://${ids.minimal}/popup.html`);
    const ui = async <M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> => {
      const answer = await own.evaluate((given) => chrome.runtime.sendMessage({ type: 'ui', ...given }), {
        method,
        params,
      });
      if (!answer?.ok) throw new Error(`${method} was refused: ${JSON.stringify(answer?.error)}`);
      return answer.result;
    };
    const client = createRelayerClient({ baseUrl: relayer.url });
    await ui('createVault', { password: PASSWORD });
    await ui('setSettings', { lockAfterMinutes: 240 });
    const network = await ui('addNetwork', { baseUrl: relayer.url, name: 'Development' });
    const addAccount = async (label: string) => {
      const { privateKey } = await openAccount({
        client,
        baseUrl: relayer.url,
        privateKey: generatePrivateKey(),
        funds: { ETH: '10', LRC: '100000' },
      });
      const { signer } = await ui('importSigner', { privateKey });
      await ui('deriveKey', { networkId: network.id, signer });
      return ui('addAccount', { networkId: network.id, signer, label });
    };
    const account = await addAccount('Main');
    const tab = await openPage(site.origin);

    const nextWindow = () =>
      context.waitForEvent('page', (page) =>
        page.waitForURL('**/approval.html*', { waitUntil: 'commit' }).then(
          () => true,
          () => false,
        ),
      );
    /** Makes the page ask and gives the approval window with the moment of the question. */
    async function askFrom(script: string): Promise<{ window: Page; asked: number }> {
      const opening = nextWindow();
      const asked = (await tab.evaluate(
        `(() => { const at = performance.timeOrigin + performance.now(); ${script}; return at; })()`,
      )) as number;
      return { window: await opening, asked };
    }

    const connect = await askFrom("window.connected = wallet.request({ method: 'eth_requestAccounts' })");
    await connect.window.locator('[data-testid=approve][aria-disabled=false]').click();
    await tab.evaluate('window.connected');
    await connect.window.close();

    say(`${ROUNDS} rounds: cold answer, question, signature, popup`);
    const times = {
      answer: { own: [] as number[], minimal: [] as number[] },
      approval: { own: [] as number[], minimal: [] as number[] },
      signature: [] as number[],
      painted: { own: [] as number[], minimal: [] as number[] },
      known: { own: [] as number[], minimal: [] as number[] },
    };
    for (let round = 0; round <= ROUNDS; round++) {
      const keep = (list: number[], value: number) => {
        // The first round meets cold caches of the browser, which no later one does.
        if (round > 0) list.push(value);
      };
      await stopWorkers(context, [own, minimal]);
      const answers = [
        async () => keep(times.answer.own, await answerTime(own, { type: 'ui', method: 'getState', params: {} })),
        async () => keep(times.answer.minimal, await answerTime(minimal, { type: 'ping' })),
      ];
      // Whoever comes first finds the processor asleep.
      for (const answer of round % 2 === 0 ? answers : answers.toReversed()) await answer();

      await stopWorkers(context, [own, minimal]);
      const other = await askFrom("dispatchEvent(new Event('minimal-ask'))");
      keep(times.approval.minimal, (await marksOf(other.window)).usable - other.asked);
      await other.window.close();
      await stopWorkers(context, [own, minimal]);
      const question = await askFrom(
        `window.placed = wallet.request({ method: 'relayer_submitOrder', params: [${JSON.stringify(ORDER)}] })`,
      );
      keep(times.approval.own, (await marksOf(question.window)).usable - question.asked);

      const [open] = await ui('listApprovals', {});
      if (open === undefined) throw new Error('the question is gone');
      const view = await ui('getApproval', { id: open.id });
      await stopWorkers(context, [own, minimal]);
      const posted = context.waitForEvent(
        'request',
        (sent) => sent.method() === 'POST' && sent.url().endsWith('/order'),
      );
      const decided = (await own.evaluate(
        (given) => {
          const at = performance.timeOrigin + performance.now();
          void chrome.runtime.sendMessage({ type: 'ui', method: 'approve', params: given });
          return at;
        },
        { id: open.id, digest: view.digest ?? '', account: account.id },
      )) as number;
      await posted;
      keep(times.signature, performance.timeOrigin + performance.now() - decided);
      await tab.evaluate('window.placed');
      await question.window.close();

      for (const [name, url] of [
        ['minimal', `chrome-extension://${ids.minimal}/popup.html`],
        ['own', `chrome-extension://${ids.own}/src/ui/popup.html`],
      ] as const) {
        await stopWorkers(context, [own, minimal]);
        const page = await openPage(url);
        const { painted, usable } = await marksOf(page);
        const started = (await page.evaluate('performance.timeOrigin')) as number;
        keep(times.painted[name], painted - started);
        keep(times.known[name], usable - started);
        await page.close();
      }
    }

    async function unlockTimes(): Promise<{ unlock: number[]; derive: number[] }> {
      const found = { unlock: [] as number[], derive: [] as number[] };
      const derive = { type: 'derive', password: PASSWORD, cost: defaultKdfCost };
      for (let round = 0; round <= UNLOCK_ROUNDS; round++) {
        await ui('lock', {});
        const unlock = await answerTime(own, { type: 'ui', method: 'unlock', params: { password: PASSWORD } });
        const derived = await answerTime(minimal, derive);
        if (round === 0) continue;
        found.unlock.push(unlock);
        found.derive.push(derived);
      }
      return found;
    }
    say('unlock with one account');
    const one = await unlockTimes();
    say(`adding ${MANY_ACCOUNTS - 1} accounts`);
    for (let index = 1; index < MANY_ACCOUNTS; index++) await addAccount(`Account ${index}`);
    say(`unlock with ${MANY_ACCOUNTS} accounts`);
    const many = await unlockTimes();

    const beside = 'a minimal extension';
    const row = (
      what: string,
      ours: readonly number[],
      theirs: readonly number[],
      atMost: number,
      other = beside,
    ): BenchRow => ({
      what: `${what} (at most ${atMost} ×)`,
      ours: median(ours),
      unit: 'ms',
      beside: other,
      theirs: median(theirs),
      ratio: ratioOf(theirs, ours),
      goal: Math.round(1000 / atMost) / 1000,
    });
    const beyond = median(one.unlock.map((time, index) => time - (one.derive[index] ?? 0)));
    return {
      rows: [
        row('cold worker to its first answer', times.answer.own, times.answer.minimal, 1.5),
        row(
          'cold worker, approved, to the signed order on its way',
          times.signature,
          times.answer.own,
          5,
          'its answer',
        ),
        row("a page's question to the usable window, worker cold", times.approval.own, times.approval.minimal, 2),
        row('popup, first paint, worker cold', times.painted.own, times.painted.minimal, 2.5),
        row('popup, balances on the screen, worker cold', times.known.own, times.known.minimal, 4),
        {
          what: 'unlock, one account',
          ours: median(one.unlock),
          unit: 'ms',
          beside: 'the key derivation alone',
          theirs: median(one.derive),
          ratio: ratioOf(one.derive, one.unlock),
        },
        row(`unlock, ${MANY_ACCOUNTS} accounts`, many.unlock, one.unlock, 1.1, 'with one account'),
      ],
      notes: [
        `unlock beyond the key derivation: ${beyond.toFixed(1)} ms (at most 30): ${beyond <= 30 ? 'held' : 'missed'}`,
        `${ROUNDS} interleaved rounds in one Chromium, medians, ${UNLOCK_ROUNDS} for unlock. A window is usable when its question and its button are drawn; ours then waits 0.7 s on purpose before the button answers. The question includes what the relayer is asked for it.`,
      ],
    };
  } finally {
    await context.close();
    await site.close();
    await relayer.close();
    await rm(scratch, { recursive: true, force: true });
  }
};

/** Ids of the two extensions, told apart by their worker's file. */
async function extensionIds(context: BrowserContext): Promise<{ own: string; minimal: string }> {
  const find = async (file: string): Promise<string> => {
    const matches = (url: string) => url.startsWith('chrome-extension:') && url.endsWith(file);
    const worker =
      context.serviceWorkers().find((one) => matches(one.url())) ??
      (await context.waitForEvent('serviceworker', { predicate: (one) => matches(one.url()), timeout: 15_000 }));
    return new URL(worker.url()).host;
  };
  return { own: await find('/countersign-worker.js'), minimal: await find('/worker.js') };
}
