import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { clickApprove } from '../../scripts/demo/clickApprove.ts';
import { openAccount } from '../../scripts/demo/openAccount.ts';
import { readToEnd } from '../../scripts/demo/readToEnd.ts';
import { buildAll, findOrInstallChromium } from '../../scripts/prepare.mjs';
import { createRelayerClient } from '../../src/client/index.ts';
import type { UiMethod, UiParams, UiResults } from '../../src/messaging/uiMethods.ts';
import { defaultKdfCost } from '../../src/vault/kdf.ts';
import { serveSite } from '../e2e/support/site.ts';
import { closeGreeting } from '../support/closeGreeting.ts';
import { PASSWORD } from '../support/wallet.ts';
import { startRelayerProcess } from './support/relayer/processes.ts';
import type { BenchRow, BenchRun } from './support/report.ts';
import { median, ratioOf } from './support/rounds.ts';
import { isShort } from './support/short.ts';
import { writeMinimalExtension } from './support/ui/minimalExtension.ts';
import { DERIVED, writeTimedExtension } from './support/ui/timedExtension.ts';

/**
 * How long people wait: the built extension beside a minimal one in the same Chromium, in turn,
 * round after round. Before each cold round both workers are stopped. Times are wall-clock moments
 * of the browser (`timeOrigin + now()`). `--short` takes one round of each, to see that the bench
 * works; its figures mean nothing.
 */
const ROUNDS = isShort ? 1 : 24;
const MANY_ACCOUNTS = isShort ? 2 : 50;
const UNLOCK_ROUNDS = isShort ? 1 : 12;
/** Milliseconds before each unlock, in which what came before it ends. */
const QUIET_MS = 300;
/** Goal for an unlock beyond its key derivation. */
const UNLOCK_MS = 30;
const ORDER = {
  sellToken: { tokenId: 1, volume: '100000000000000000000' },
  buyToken: { tokenId: 0, volume: '50000000000000000' },
};

/**
 * Wall-clock moments that a page reports of itself: `painted` the first contentful paint, `usable`
 * the marked element on the screen.
 */
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

/** Milliseconds that an unlock took, and the part of them that was not its key derivation. */
interface Unlock {
  readonly total: number;
  readonly beyond: number;
}

interface Marks {
  readonly painted: number;
  readonly usable: number;
}

/**
 * Looks again and again from here: the page's own policy forbids what Playwright's waiting would
 * evaluate in it.
 */
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
  await pause(150);
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/**
 * Closes a window, and waits for what the browser wakes for it: a worker that starts again would
 * not be cold.
 */
async function closeWindow(window: Page): Promise<void> {
  await window.close();
  await pause(300);
}

async function launch(profile: string, folders: readonly string[]): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findOrInstallChromium(() => {}),
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-gpu',
      `--disable-extensions-except=${folders.join(',')}`,
      `--load-extension=${folders.join(',')}`,
    ],
  });
  await context.addInitScript(watchPage);
  return context;
}

/**
 * A page to ask from, whose own scripts are off: what they would ask on every change would be
 * measured too.
 */
async function openQuiet(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setScriptExecutionDisabled', { value: true });
  await page.reload();
  return page;
}

/** Calls of the wallet's own interface from `page`. */
const callerFrom =
  (page: Page) =>
  async <M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]> => {
    const answer = await page.evaluate((given) => chrome.runtime.sendMessage({ type: 'ui', ...given }), {
      method,
      params,
    });
    if (!answer?.ok) throw new Error(`${method} was refused: ${JSON.stringify(answer?.error)}`);
    return answer.result;
  };

/** A wallet that stays unlocked, with one network. @returns What adds an account that has funds. */
async function setUp(ui: ReturnType<typeof callerFrom>, baseUrl: string) {
  const client = createRelayerClient({ baseUrl });
  await ui('createVault', { password: PASSWORD });
  await ui('setSettings', { lockAfterMinutes: 240 });
  const network = await ui('addNetwork', { baseUrl, name: 'Development' });
  return async (label: string) => {
    const { privateKey } = await openAccount({
      client,
      baseUrl,
      funds: { ETH: '10', LRC: '100000' },
    });
    const { signer } = await ui('importSigner', { privateKey });
    await ui('deriveKey', { networkId: network.id, signer });
    return ui('addAccount', { networkId: network.id, signer, label });
  };
}

export const run: BenchRun = async (say) => {
  await buildAll({ show: false });
  const scratch = await mkdtemp(join(tmpdir(), 'countersign-bench-ui-'));
  const minimalFolder = join(scratch, 'minimal');
  await writeMinimalExtension(minimalFolder);
  const ownFolder = resolve(import.meta.dirname, '../../dist/chromium');
  const relayer = await startRelayerProcess(undefined);
  const baseUrl = relayer.url.origin;
  const site = await serveSite();
  const contexts: BrowserContext[] = [];
  const launched = async (profile: string, folders: readonly string[]) => {
    const context = await launch(join(scratch, profile), folders);
    contexts.push(context);
    await closeGreeting(context);
    return context;
  };
  try {
    const context = await launched('profile', [ownFolder, minimalFolder]);
    const id = await extensionId(context, '/countersign-worker.js');
    const minimalId = await extensionId(context, '/worker.js');
    const openPage = async (url: string) => {
      const page = await context.newPage();
      await page.goto(url);
      return page;
    };
    const own = await openQuiet(context, `chrome-extension://${id}/src/ui/receipt.html`);
    const minimal = await openQuiet(context, `chrome-extension://${minimalId}/popup.html`);
    const ui = callerFrom(own);
    const addAccount = await setUp(ui, baseUrl);
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
    await readToEnd(connect.window);
    await clickApprove(connect.window);
    await tab.evaluate('window.connected');
    await closeWindow(connect.window);

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
      await closeWindow(other.window);
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
      await closeWindow(question.window);

      for (const [name, url] of [
        ['minimal', `chrome-extension://${minimalId}/popup.html`],
        ['own', `chrome-extension://${id}/src/ui/popup.html`],
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

    say(`unlock with one account and, in another browser, with ${MANY_ACCOUNTS}`);
    const timedFolder = join(scratch, 'timed');
    await writeTimedExtension(ownFolder, timedFolder);
    /**
     * A browser with so many accounts.
     * @returns What locks, unlocks and tells how long that took, with its derivation's part.
     */
    async function unlocking(profile: string, accounts: number) {
      const page = await openQuiet(
        await launched(profile, [timedFolder]),
        `chrome-extension://${id}/src/ui/receipt.html`,
      );
      const call = callerFrom(page);
      const add = await setUp(call, baseUrl);
      for (let index = 0; index < accounts; index++) await add(`Account ${index}`);
      const derived = (): Promise<number> => page.evaluate((type) => chrome.runtime.sendMessage({ type }), DERIVED);
      return async () => {
        await call('lock', {});
        await pause(QUIET_MS);
        await derived();
        const total = await answerTime(page, { type: 'ui', method: 'unlock', params: { password: PASSWORD } });
        return { total, beyond: total - (await derived()) };
      };
    }
    const unlock = { one: await unlocking('one', 1), many: await unlocking('many', MANY_ACCOUNTS) };
    const unlocks = { one: [] as Unlock[], many: [] as Unlock[], alone: [] as number[] };
    for (let round = 0; round <= UNLOCK_ROUNDS; round++) {
      const turns = [
        async () => unlocks.one.push(await unlock.one()),
        async () => unlocks.many.push(await unlock.many()),
        async () => {
          await pause(QUIET_MS);
          unlocks.alone.push(await answerTime(minimal, { type: 'derive', password: PASSWORD, cost: defaultKdfCost }));
        },
      ];
      // Each comes first as often as the others.
      for (const index of turns.keys()) await turns[(round + index) % turns.length]?.();
      // The first round compiles what later ones have.
      if (round === 0) for (const list of Object.values(unlocks)) list.length = 0;
    }

    const beside = 'a minimal extension';
    const row = (
      what: string,
      ours: readonly number[],
      theirs: readonly number[],
      atMost: number,
      other = beside,
    ): BenchRow => ({
      what,
      ours: median(ours),
      unit: 'ms',
      beside: other,
      theirs: median(theirs),
      ratio: ratioOf(theirs, ours),
      atMost,
    });
    const totals = (list: readonly Unlock[]) => list.map(({ total }) => total);
    const beyond = (list: readonly Unlock[]) => median(list.map((one) => one.beyond));
    const derivation = median(unlocks.one.map(({ total, beyond }) => total - beyond));
    return {
      rows: [
        row('cold worker to its first answer', times.answer.own, times.answer.minimal, 1.25),
        row(
          'cold worker, approved, to the signed order on its way',
          times.signature,
          times.answer.own,
          4,
          'its answer',
        ),
        row("a page's question to the usable window, worker cold", times.approval.own, times.approval.minimal, 1.7),
        row('popup, first paint, worker cold', times.painted.own, times.painted.minimal, 1.7),
        row('popup, balances on the screen, worker cold', times.known.own, times.known.minimal, 2),
        {
          what: 'unlock, one account',
          ours: median(totals(unlocks.one)),
          unit: 'ms',
          beside: 'the key derivation alone',
          theirs: median(unlocks.alone),
          ratio: ratioOf(unlocks.alone, totals(unlocks.one)),
        },
        ...(['one', 'many'] as const).map(
          (which): BenchRow => ({
            what: `unlock beyond its own key derivation, ${which === 'one' ? 'one account' : `${MANY_ACCOUNTS} accounts`}`,
            ours: beyond(unlocks[which]),
            unit: 'ms',
            bound: ['≤', UNLOCK_MS],
          }),
        ),
        // The derivation takes a sixth more or less from one second to another, which has nothing
        // to do with the accounts.
        row(
          `unlock, ${MANY_ACCOUNTS} accounts, with one derivation for both`,
          [derivation + beyond(unlocks.many)],
          [derivation + beyond(unlocks.one)],
          1.1,
          'with one account',
        ),
      ],
      notes: [
        `${ROUNDS} interleaved rounds in one Chromium, medians; unlocking in turn in two browsers, ${UNLOCK_ROUNDS} rounds, each unlock with a stopwatch on its derivation's WebAssembly. A window is usable when its question and its button are drawn; ours then waits 0.7 s on purpose before the button answers. The popup first paints its mark, the minimal one all it has. The question includes what the relayer, a process of its own, is asked for it.`,
      ],
    };
  } finally {
    for (const context of contexts) await context.close();
    await site.close();
    await relayer.stop();
    await rm(scratch, { recursive: true, force: true });
  }
};

/** Id of the extension whose worker is this file. */
async function extensionId(context: BrowserContext, file: string): Promise<string> {
  const matches = (url: string) => url.startsWith('chrome-extension:') && url.endsWith(file);
  const worker =
    context.serviceWorkers().find((one) => matches(one.url())) ??
    (await context.waitForEvent('serviceworker', { predicate: (one) => matches(one.url()), timeout: 15_000 }));
  return new URL(worker.url()).host;
}
