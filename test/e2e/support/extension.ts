import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../../scripts/demo/openBrowser.ts';
import { recordHosts } from '../../../scripts/demo/recordHosts.ts';
import { findOrInstallChromium } from '../../../scripts/prepare.mjs';
import type { UiAnswer, UiMethod, UiParams, UiResults } from '../../../src/messaging/uiMethods.ts';
import { closeGreeting } from '../../support/closeGreeting.ts';

/** A real Chromium with the built extension, on a profile of its own. */
export interface Extension {
  readonly context: BrowserContext;
  readonly id: string;
  /** Calls a method of the wallet's own pages, from one of them. */
  ui<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]>;
  /** The same, with refusals as they are. */
  uiAnswer<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiAnswer<M>>;
  /** Opens one of the wallet's pages in a tab. */
  open(path: string): Promise<Page>;
  /**
   * Closes approval windows that are left: a busy browser opens two for one request, and the wallet
   * shows the next request there.
   */
  closeApprovals(): Promise<void>;
  /** The next approval window; start waiting before what opens it. */
  nextApproval(): Promise<Page>;
  /** Stops the service worker, as the browser does. The next message starts another. */
  stopWorker(): Promise<void>;
  /**
   * Reloads the extension, as the browser does when it installs an update. Its pages close, and the
   * vault is locked.
   * @param press - What makes it reload, in place of the browser.
   */
  reload(press?: () => Promise<void>): Promise<void>;
  /** @throws {Error} during its life the browser talked to a host that no test had entered. */
  close(): Promise<void>;
}

/** Also after it has gone on to the screen of a new key. */
export const isApproval = (page: Page): boolean => /\/src\/ui\/(approval|keyUpdate)\.html/.test(page.url());

/** Ends what hangs: less than a test may take, and more than anything takes on a busy machine. */
const PATIENCE_MS = 120_000;
/** A worker that hears answers within this time, also on a busy machine. */
const DEAF_AFTER_MS = 30_000;

/** @param others - Folders of other extensions to load beside ours. */
export async function launchExtension(others: readonly string[] = []): Promise<Extension> {
  const profile = await mkdtemp(join(tmpdir(), 'countersign-e2e-'));
  const executablePath = await findOrInstallChromium(() => {});
  const { context, extensionId: id } = await openBrowser({ executablePath, headless: true, profile, others });
  context.setDefaultTimeout(PATIENCE_MS);
  const strangeHosts = recordHosts(context);
  let wasReloaded = false;
  const popup = `chrome-extension://${id}/src/ui/popup.html`;
  await closeGreeting(context);
  // A page that asks the wallet nothing: the popup would draw itself anew at each change.
  let control = await context.newPage();
  await control.goto(`chrome-extension://${id}/src/ui/receipt.html`);

  const uiAnswer: Extension['uiAnswer'] = (method, params) =>
    control.evaluate(([name, given]) => chrome.runtime.sendMessage({ type: 'ui', method: name, params: given }), [
      method,
      params,
    ] as const);

  /** Opens the popup in a tab, as soon as the extension is there. */
  async function openControl(): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      control = await context.newPage();
      try {
        await control.goto(popup);
        return;
      } catch (error) {
        await control.close();
        if (Date.now() > end) throw error;
      }
    }
  }

  /**
   * False: the browser knows nothing of the worker that it started during a reload, see
   * `src/ui/stay.tsx`. It ends no worker that has a debugger.
   */
  const hears = () =>
    Promise.race([
      uiAnswer('getState', {}).then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, DEAF_AFTER_MS, false)),
    ]);

  return {
    context,
    id,
    uiAnswer,
    async ui(method, params) {
      const answer = await uiAnswer(method, params);
      if (!answer?.ok) throw new Error(`${method} was refused: ${JSON.stringify(answer?.error)}`);
      return answer.result;
    },
    async open(path) {
      const page = await context.newPage();
      await page.goto(`chrome-extension://${id}/${path}`);
      return page;
    },
    async closeApprovals() {
      for (const page of context.pages()) if (isApproval(page)) await page.close();
      // The wallet hears of it a moment later; a request in between would be shown in the window
      // that goes.
      const isKnown = () =>
        control.evaluate(async () => (await chrome.storage.session.get('approval-window'))['approval-window']);
      for (const end = Date.now() + PATIENCE_MS; (await isKnown()) !== undefined; ) {
        if (Date.now() > end) throw new Error('the wallet did not hear that its approval window was closed');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async nextApproval() {
      const before = new Set(context.pages());
      const isNew = (page: Page) => !before.has(page) && page.url().includes('/src/ui/approval.html');
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
        const window = context.pages().find(isNew);
        if (window) return window;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const open = await uiAnswer('listApprovals', {}).catch(String);
      const pages = context.pages().map((page) => page.url());
      throw new Error(`no approval window opened\nopen approvals: ${JSON.stringify(open)}\npages: ${pages.join(', ')}`);
    },
    async stopWorker() {
      const cdp = await context.newCDPSession(control);
      const gone = new Promise<void>((resolve) =>
        cdp.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
          if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve();
        }),
      );
      await cdp.send('ServiceWorker.enable');
      await cdp.send('ServiceWorker.stopAllWorkers');
      await gone;
      await cdp.detach();
    },
    async reload(press) {
      wasReloaded = true;
      // Without the developer mode Chromium takes an unpacked extension out of use when it is
      // reloaded.
      const settings = await context.newPage();
      await settings.goto('chrome://extensions');
      await settings.evaluate(() =>
        (
          chrome as unknown as { developerPrivate: { updateProfileConfiguration(to: object): Promise<void> } }
        ).developerPrivate.updateProfileConfiguration({ inDeveloperMode: true }),
      );
      await settings.close();
      let restart = press ?? (() => control.evaluate(() => chrome.runtime.reload()));
      for (const end = Date.now() + PATIENCE_MS; ; ) {
        const closed = control.waitForEvent('close');
        // Its page is closed under it.
        await restart().catch(() => {});
        await closed;
        await openControl();
        if (await hears()) return;
        if (Date.now() > end) throw new Error('no worker of the reloaded extension hears what it is told');
        restart = () => control.getByRole('button', { name: 'Restart Countersign' }).click();
      }
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      // Where a window of a reloaded extension was, Chromium shows its own start page.
      const strange = strangeHosts().filter((host) => !wasReloaded || host.startsWith('worker '));
      if (strange.length > 0) throw new Error(`hosts that nobody entered: ${strange.join(', ')}`);
    },
  };
}
