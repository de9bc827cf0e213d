import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserType, Page } from 'playwright-core';
import type { TestRelayer } from './startRelayer.ts';

export interface OpenWalletOptions {
  /** `chromium` of `playwright-core`, `playwright` or `@playwright/test`. */
  readonly chromium: Pick<BrowserType, 'launchPersistentContext'>;
  readonly relayer: Pick<TestRelayer, 'url' | 'fund'>;
  /** Base units by symbol for the new account; enough of each fee token when absent. */
  readonly tokens?: Readonly<Record<string, bigint>>;
  /** A Chromium that may load extensions; Playwright's own when absent. */
  readonly executablePath?: string;
  /** Without a window when absent. */
  readonly headless?: boolean;
}

/** A browser with the test build of the wallet, one funded account in it, and no site connected. */
export interface TestWallet {
  readonly context: BrowserContext;
  /** Owner of the account. */
  readonly address: `0x${string}`;
  /**
   * Approves the request that waits, or the next one, as a user does: reads to its end and clicks.
   * A connection and the request that it is for are two.
   * @returns What its window said.
   */
  approve(): Promise<string>;
  /**
   * Rejects it, as often as the tests want: rejections in a row do not silence the page here.
   * @returns What its window said.
   */
  reject(): Promise<string>;
  lock(): Promise<void>;
  unlock(): Promise<void>;
  /** Ends the connection of a site, as the user does in the wallet. */
  disconnect(origin: string): Promise<void>;
  close(): Promise<void>;
}

/** Protects a throw-away key of a build that works with development exchanges alone. */
const PASSWORD = 'a password for tests only';
const PATIENCE_MS = 30_000;
const APPROVAL = '/src/ui/approval.html';

const isApproval = (page: Page) => page.url().includes(APPROVAL);

/**
 * Scrolls to the end, because the button answers once the last row was drawn; a request that is
 * drawn anew starts at its top again.
 */
async function readToEnd(window: Page): Promise<void> {
  const armed = window.locator('[data-testid=approve][aria-disabled=false]');
  const password = window.locator('.approval-flow input[autocomplete=current-password]');
  const until = Date.now() + PATIENCE_MS;
  while (!(await armed.isVisible())) {
    if (Date.now() > until) throw new Error(`The request cannot be approved: ${await window.innerText('body')}`);
    if (await password.isVisible()) await password.fill(PASSWORD);
    for (const end of await window.locator('.approval-end').all())
      await end
        .evaluate((element) => element.scrollIntoView({ block: 'end' }), undefined, { timeout: 500 })
        .catch(() => {});
    await window.waitForTimeout(50);
  }
}

/**
 * Opens a browser with the test build of the wallet and sets it up with a new account. The build
 * names itself *Countersign TEST*, has a banner in every window, and works with a development
 * exchange on this machine alone.
 * @throws {Error} The browser does not load extensions, or the setup met an error of the relayer.
 */
export async function openWallet(options: OpenWalletOptions): Promise<TestWallet> {
  const { chromium, relayer, tokens, executablePath, headless = true } = options;
  const extension = fileURLToPath(new URL('./extension', import.meta.url));
  const profile = await mkdtemp(join(tmpdir(), 'countersign-test-'));
  const removeProfile = () => rm(profile, { recursive: true, force: true });
  const launched = chromium.launchPersistentContext(profile, {
    headless,
    ...(executablePath === undefined ? { channel: 'chromium' } : { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      '--lang=en-US',
      '--no-first-run',
    ],
  });
  const context = await launched.catch(async (error) => {
    await removeProfile();
    throw error;
  });
  const close = async () => {
    await context.close();
    await removeProfile();
  };
  try {
    const worker =
      context.serviceWorkers()[0] ??
      (await context.waitForEvent('serviceworker', { timeout: PATIENCE_MS }).catch(() => {
        throw new Error('The browser started without the wallet: it does not load extensions.');
      }));
    const control = await context.newPage();
    await control.goto(new URL('/src/ui/popup.html', worker.url()).href);

    /** Calls the wallet as its own pages do. */
    async function ui<T>(method: string, params: object = {}): Promise<T> {
      const answer = await control.evaluate(
        (message) => {
          const { runtime } = (
            globalThis as unknown as { chrome: { runtime: { sendMessage(given: object): unknown } } }
          ).chrome;
          return runtime.sendMessage(message) as Promise<{ ok: true; result: unknown } | { ok: false; error: unknown }>;
        },
        { type: 'ui', method, params },
      );
      if (!answer.ok) throw new Error(`The wallet refused ${method}: ${JSON.stringify(answer.error)}`);
      return answer.result as T;
    }

    await ui('createVault', { password: PASSWORD });
    const { id: networkId } = await ui<{ id: string }>('addNetwork', { baseUrl: relayer.url, name: 'Test' });
    const { signer, address } = await ui<{ signer: string; address: `0x${string}` }>('generateSigner');
    await relayer.fund(address, tokens);
    const { id: account } = await ui<{ id: string }>('claimAccount', { networkId, signer, label: 'Test' });
    const asked = { account, approval: null, kind: 'derived', feeTokenId: null };
    const { id, digest } = await ui<{ id: string; digest: string }>('startKeyUpdate', asked);
    await ui('approve', { id, digest, account, password: PASSWORD });
    const until = Date.now() + PATIENCE_MS;
    while ((await ui<{ accounts: readonly unknown[] }>('getState')).accounts.length === 0) {
      if (Date.now() > until) throw new Error('The relayer did not register the key of the account.');
      await control.waitForTimeout(100);
    }
    // The first page of a new wallet opens by itself.
    for (const page of context.pages()) if (page.url().endsWith('/src/ui/onboarding.html')) await page.close();

    /**
     * A few rejections in a row silence a site for a minute: the next test of the page would not be
     * asked anything.
     */
    const forgetRejections = () =>
      control.evaluate(async () => {
        const { session } = (
          globalThis as unknown as {
            chrome: {
              storage: { session: { remove(key: string): Promise<void> } };
            };
          }
        ).chrome.storage;
        await session.remove('request-rate');
      });

    const requestWindow = async (): Promise<Page> => {
      const window =
        context.pages().find(isApproval) ??
        (await context.waitForEvent('page', {
          predicate: (page) =>
            page.waitForURL(`**${APPROVAL}*`, { waitUntil: 'commit' }).then(
              () => true,
              () => false,
            ),
          timeout: PATIENCE_MS,
        }));
      await window.locator('[data-testid=approve]').waitFor({ timeout: PATIENCE_MS });
      return window;
    };
    /**
     * Clicks, and waits for what it set going: the end of the request, or the next step of the same
     * one.
     */
    async function decide(click: (window: Page) => Promise<void>): Promise<string> {
      const window = await requestWindow();
      const id = new URL(window.url()).searchParams.get('id');
      const said = await window.innerText('body');
      const before = await ui<{ digest: string | null }>('getApproval', { id });
      await click(window);
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        const { stage, digest } = await ui<{ stage: string; digest: string | null }>('getApproval', { id });
        if (stage === 'done' || stage === 'closed' || stage === 'unavailable') break;
        if (stage === 'ready' && digest !== null && digest !== before.digest) return said;
        if (Date.now() > until) throw new Error(`The request came to no end: ${stage}. Its window said: ${said}`);
        await control.waitForTimeout(50);
      }
      // The window goes on to what else waits, or closes; what became of an approved request stands
      // there until the user has read it.
      const goOn = window.locator('.outcome + footer button').last();
      while (!window.isClosed() && new URL(window.url()).searchParams.get('id') === id) {
        if (Date.now() > until) throw new Error(`The window does not go on: ${await window.innerText('body')}`);
        // It may close between the two.
        if (await goOn.isVisible().catch(() => false)) await goOn.click({ timeout: 1_000 }).catch(() => {});
        await control.waitForTimeout(50);
      }
      return said;
    }

    return {
      context,
      address,
      approve: () =>
        decide(async (window) => {
          // A pointer that rests where the button appears does not approve.
          await window.mouse.move(1, 1);
          await readToEnd(window);
          await window.getByTestId('approve').click();
        }),
      reject: async () => {
        const said = await decide((window) => window.getByRole('button', { name: 'Reject', exact: true }).click());
        await forgetRejections();
        return said;
      },
      lock: async () => void (await ui('lock')),
      unlock: async () => void (await ui('unlock', { password: PASSWORD })),
      disconnect: async (origin) => void (await ui('revokeSite', { origin })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
