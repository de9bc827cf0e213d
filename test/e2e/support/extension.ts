import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { openBrowser } from '../../../src/demo/openBrowser.ts';
import { findOrInstallChromium } from '../../../src/demo/prepare.mjs';
import type { UiAnswer, UiMethod, UiParams, UiResults } from '../../../src/messaging/uiMethods.ts';

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
  /** The next approval window; start waiting before what opens it. */
  nextApproval(): Promise<Page>;
  /** Stops the service worker, as the browser does. The next message starts another. */
  stopWorker(): Promise<void>;
  close(): Promise<void>;
}

async function workerTarget(cdp: CDPSession, id: string): Promise<string | undefined> {
  const { targetInfos } = await cdp.send('Target.getTargets');
  return targetInfos.find(({ type, url }) => type === 'service_worker' && url.includes(id))?.targetId;
}

export async function launchExtension(): Promise<Extension> {
  const profile = await mkdtemp(join(tmpdir(), 'countersign-e2e-'));
  const executablePath = await findOrInstallChromium(() => {});
  const { context, extensionId: id } = await openBrowser({ executablePath, headless: true, profile });
  const control = await context.newPage();
  await control.goto(`chrome-extension://${id}/src/ui/popup.html`);

  const uiAnswer: Extension['uiAnswer'] = (method, params) =>
    control.evaluate(([name, given]) => chrome.runtime.sendMessage({ type: 'ui', method: name, params: given }), [
      method,
      params,
    ] as const);

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
    nextApproval: () => context.waitForEvent('page', (page) => page.url().includes('/src/ui/approval.html')),
    async stopWorker() {
      const browser = context.browser();
      if (!browser) throw new Error('the browser is gone');
      const cdp = await browser.newBrowserCDPSession();
      const targetId = await workerTarget(cdp, id);
      // Somebody may wake another worker meanwhile; it is this one that has to be gone. A close that meets a worker in the
      // middle of its start is lost, so it is said again.
      while (targetId && (await workerTarget(cdp, id)) === targetId) {
        await cdp.send('Target.closeTarget', { targetId }).catch(() => {});
        await new Promise((done) => setTimeout(done, 50));
      }
      await cdp.detach();
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
