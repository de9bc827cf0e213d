import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GECKO_ID } from '../../../scripts/build/firefoxManifest.ts';
import { findOrInstallFirefox, root } from '../../../scripts/prepare.mjs';
import type { UiMethod, UiParams, UiResults } from '../../../src/messaging/uiMethods.ts';
import { connectMarionette, type Marionette } from './marionette.ts';
import type { Outcome } from './site.ts';

/** Host of the extension's pages; Firefox would otherwise draw one for each profile. */
const PAGES_ID = 'c0517e51-0000-4000-8000-000000000001';
/** Key under which WebDriver hands over an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/**
 * Shorter than a test may take: what waits in vain says so, and sends nothing into the next test.
 */
const PATIENCE_MS = 240_000;
/** Just below what `marionette.ts` waits for an answer, so that Firefox says what took so long. */
const COMMAND_MS = 110_000;

const preferences = {
  'marionette.port': 0,
  'extensions.webextensions.uuids': JSON.stringify({ [GECKO_ID]: PAGES_ID }),
  // No updates, no reports, no first pages: the test contacts this machine only.
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'extensions.systemAddon.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': 'data:,',
  'browser.newtabpage.enabled': false,
  'browser.newtabpage.activity-stream.feeds.section.topstories': false,
  'browser.newtabpage.activity-stream.feeds.topsites': false,
  'browser.region.network.url': '',
  'browser.search.update': false,
  'browser.startup.page': 0,
  'dom.push.connection.enabled': false,
  'extensions.blocklist.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  // What is not on this machine goes to a proxy that writes it down.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.no_proxies_on': 'localhost, 127.0.0.1',
  'intl.accept_languages': 'en-US',
  // No processes for pages that nobody opens.
  'dom.ipc.processPrelaunch.enabled': false,
  // A request for permissions that comes out of a click is granted; any other is refused as ever.
  'extensions.webextOptionalPermissionPrompts': false,
};

/**
 * Keys that remove what a field holds. Marionette's own command empties it without an `input`
 * event: the page then knows nothing of it, and puts the text back when it draws again.
 */
const REMOVE_ALL = '\uE003'.repeat(60);

async function poll<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`${what} did not come within ${PATIENCE_MS} ms`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** The text of a page once its folded parts are opened. */
const SHOWN_TEXT = `for (const folded of document.querySelectorAll('details')) folded.open = true;
  return document.body?.innerText ?? '';`;

/** A tab or window. Each call moves Firefox's attention to it first. */
export interface FirefoxPage {
  readonly handle: string;
  goto(url: string): Promise<void>;
  /**
   * Runs a function body in the page; `arguments` are the given values, a promise is waited for.
   */
  run<T>(body: string, ...values: unknown[]): Promise<T>;
  /**
   * Waits for an element and clicks it as a person would. A selector that begins with `//` is an
   * XPath.
   */
  click(selector: string): Promise<void>;
  /** Moves the pointer to where nothing is. */
  movePointerAway(): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** Types in place of what stands in a field. */
  retype(selector: string, text: string): Promise<void>;
  /** Opens what is folded and waits for a text. */
  seeText(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
  /** Waits until the page has closed itself. */
  closed(): Promise<void>;
}

/** A real Firefox with the built extension, on a profile of its own. */
export interface Firefox {
  readonly version: string;
  url(path: string): string;
  newPage(url: string): Promise<FirefoxPage>;
  /** Runs what opens an approval window, and waits for that window. */
  approvalOpenedBy(act: () => Promise<void>): Promise<FirefoxPage>;
  /** Waits for the approval window that shows the text, an old one or a new one. */
  approvalShowing(text: string): Promise<FirefoxPage>;
  /** Rejects what waits, and closes the windows that showed it. @returns What they showed. */
  rejectAll(): Promise<readonly string[]>;
  /** Calls a method of the wallet's own pages, from one of them. */
  ui<M extends UiMethod>(method: M, params: UiParams<M>): Promise<UiResults[M]>;
  /**
   * Stops the event page, also while one of its answers is awaited. The next message starts
   * another.
   */
  stopBackground(): Promise<void>;
  /** Reloads the add-on, as an update does: its pages close, and the vault is locked. */
  reload(): Promise<void>;
  /**
   * Runs the body of an asynchronous function in the sandbox of the add-on's content script in a
   * tab. What it returns is JSON.
   */
  inContentScript<T>(tab: FirefoxPage, body: string): Promise<T>;
  /** Takes host permissions from the extension, as a person does in `about:addons`. */
  takeHosts(origins: readonly string[]): Promise<void>;
  /** Hosts beyond this machine that anything in the browser asked for, each time. */
  readonly askedOutside: readonly string[];
  close(): Promise<void>;
}

/** A proxy that lets nothing through. @returns its port, and the hosts that were asked for. */
async function refuseAndRecord(): Promise<{ port: number; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://nobody').host);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, asked, close: () => void server.close() };
}

export async function launchFirefox(): Promise<Firefox> {
  const path = await findOrInstallFirefox(() => {});
  const profile = await mkdtemp(join(tmpdir(), 'countersign-firefox-'));
  const proxy = await refuseAndRecord();
  const proxied = { ...preferences, 'network.proxy.http_port': proxy.port, 'network.proxy.ssl_port': proxy.port };
  const lines = Object.entries(proxied).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), `${lines.join('\n')}\n`);
  const child = spawn(
    path,
    ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile],
    { stdio: 'ignore', env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1', LC_ALL: 'C.UTF-8' } },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await poll('the port of Firefox', async () => {
    if (child.exitCode !== null) throw new Error(`${path} ended with code ${child.exitCode} at its start`);
    return (await readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => undefined)) || undefined;
  });
  const marionette: Marionette = await connectMarionette(Number(port));
  const session = await marionette.send<{ capabilities: { browserVersion: string } }>('WebDriver:NewSession', {
    capabilities: { alwaysMatch: { acceptInsecureCerts: false } },
  });
  await marionette.send('WebDriver:SetTimeouts', { implicit: 0, script: COMMAND_MS, pageLoad: COMMAND_MS });
  await marionette.send('Addon:Install', { path: join(root, 'dist/firefox'), temporary: true });

  /** Runs a function body with the rights of the browser itself. */
  async function chrome<T>(script: string): Promise<T> {
    await marionette.send('Marionette:SetContext', { value: 'chrome' });
    try {
      const { value } = await marionette.send<{ value: T }>('WebDriver:ExecuteScript', { script, args: [] });
      return value;
    } finally {
      await marionette.send('Marionette:SetContext', { value: 'content' });
    }
  }

  function pageOf(handle: string): FirefoxPage {
    const attend = () => marionette.send('WebDriver:SwitchToWindow', { handle, focus: true });
    const element = (selector: string) =>
      poll(`${selector}`, async () => {
        await attend();
        return marionette
          .send<{ value: Record<string, string> }>('WebDriver:FindElement', {
            using: selector.startsWith('//') ? 'xpath' : 'css selector',
            value: selector,
          })
          .then(({ value }) => value[ELEMENT])
          .catch((error: Error) => {
            if (error.name === 'no such element') return undefined;
            throw error;
          });
      });
    const page: FirefoxPage = {
      handle,
      async goto(url) {
        await attend();
        await marionette.send('WebDriver:Navigate', { url });
      },
      async run<T>(body: string, ...values: unknown[]) {
        await attend();
        // Page values belong to the page: `wrappedJSObject` is the window as its own scripts see
        // it.
        const script = `const window = globalThis.window.wrappedJSObject ?? globalThis.window; ${body}`;
        const { value } = await marionette.send<{ value: T }>('WebDriver:ExecuteScript', { script, args: values });
        return value;
      },
      async click(selector) {
        const id = await element(selector);
        await marionette.send('WebDriver:ElementClick', { id });
      },
      async movePointerAway() {
        await page.run(
          `document.dispatchEvent(
             new PointerEvent('pointermove', { clientX: 1, clientY: 1, pointerType: 'mouse', bubbles: true }),
           );`,
        );
      },
      async type(selector, text) {
        const id = await element(selector);
        await marionette.send('WebDriver:ElementSendKeys', { id, text });
      },
      retype: (selector, text) => page.type(selector, `${REMOVE_ALL}${text}`),
      async seeText(text) {
        await poll(`the text “${text}”`, async () =>
          (await page.run<string>(SHOWN_TEXT)).includes(text) ? true : undefined,
        );
      },
      async screenshot() {
        await attend();
        const { value } = await marionette.send<{ value: string }>('WebDriver:TakeScreenshot', { full: false });
        return Buffer.from(value, 'base64');
      },
      async close() {
        await attend();
        await marionette.send('WebDriver:CloseWindow');
      },
      async closed() {
        await poll('the end of the window', async () => ((await handles()).includes(handle) ? undefined : true));
      },
    };
    return page;
  }

  const handles = () => marionette.send<string[]>('WebDriver:GetWindowHandles');
  const url = (path: string) => `moz-extension://${PAGES_ID}/${path}`;
  const [first = ''] = await handles();

  async function newPage(address: string): Promise<FirefoxPage> {
    // A tab opens in the window that has the attention, and an approval window takes none.
    await marionette.send('WebDriver:SwitchToWindow', { handle: first, focus: true });
    const { handle } = await marionette.send<{ handle: string }>('WebDriver:NewWindow', { type: 'tab', focus: true });
    const page = pageOf(handle);
    await page.goto(address);
    return page;
  }
  /** A window that closed between two commands is none. */
  function gone(error: Error): undefined {
    if (error.name !== 'no such window') throw error;
  }
  async function approvals(): Promise<FirefoxPage[]> {
    const found: FirefoxPage[] = [];
    for (const handle of await handles()) {
      if (handle === first) continue;
      // A window that is still being opened has no document.
      const address = await pageOf(handle).run<string | null>('return location.href').catch(gone);
      if (address?.includes('/src/ui/approval.html')) found.push(pageOf(handle));
    }
    return found;
  }
  // A page that asks the wallet nothing: the popup would draw itself anew at each change.
  const speaker = url('src/ui/receipt.html');
  const control = pageOf(first);
  await control.goto(speaker);

  const ui: Firefox['ui'] = async (method, params) => {
    const text = await control.run<string>(
      `return window.browser.runtime.sendMessage(window.JSON.parse(arguments[0])).then((answer) => JSON.stringify(answer))`,
      JSON.stringify({ type: 'ui', method, params }),
    );
    const answer = JSON.parse(text ?? 'null');
    if (!answer?.ok) throw new Error(`${method} was refused: ${text}`);
    return answer.result;
  };

  return {
    version: session.capabilities.browserVersion,
    url,
    newPage,
    async approvalOpenedBy(act) {
      const before = new Set(await handles());
      await act();
      return poll('the approval window', async () => (await approvals()).find(({ handle }) => !before.has(handle)));
    },
    approvalShowing: (text) =>
      poll(`an approval window with “${text}”`, async () => {
        for (const page of await approvals()) {
          const shown = await page.run<string>(SHOWN_TEXT).catch(gone);
          if (shown?.includes(text)) return page;
        }
        return undefined;
      }),
    async rejectAll() {
      const shown: string[] = [];
      for (const page of await approvals()) shown.push((await page.run<string>(SHOWN_TEXT).catch(gone)) ?? '');
      await ui('rejectAll', { ids: (await ui('listApprovals', {})).map(({ id }) => id) });
      for (const page of await approvals()) await page.close().catch(gone);
      return shown;
    },
    ui,
    askedOutside: proxy.asked,
    stopBackground: () =>
      // Firefox lets it go on when one of its answers is awaited, or when a message comes
      // meanwhile.
      poll('the stop of the event page', async () => {
        const state = await chrome<string>(
          `const { extension } = WebExtensionPolicy.getByID('${GECKO_ID}');
           return extension.terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true })
             .then(() => extension.backgroundState)`,
        );
        return state === 'stopped' ? null : undefined;
      }).then(() => {}),
    async reload() {
      // Its pages close with it, and so would the one that speaks for the test.
      await control.goto('about:blank');
      await chrome(
        `const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
         return AddonManager.getAddonByID('${GECKO_ID}').then((addon) => addon.reload()).then(() => null)`,
      );
      await control.goto(speaker);
    },
    async inContentScript<T>(tab: FirefoxPage, body: string) {
      await marionette.send('WebDriver:SwitchToWindow', { handle: tab.handle, focus: true });
      const { value } = await marionette.send<{ value: string }>('WebDriver:ExecuteScript', {
        script: `const { ExtensionContent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionContent.sys.mjs');
          const isOurs = (sandbox) => {
            const { addonId, 'inner-window-id': document } = Cu.getSandboxMetadata(sandbox);
            return addonId === '${GECKO_ID}' && document === window.windowGlobalChild.innerWindowId;
          };
          const sandbox = ExtensionContent.getAllContentScriptGlobals().find(isOurs);
          return Cu.evalInSandbox('(async () => JSON.stringify(await (async () => {' + arguments[0] + '})()))()', sandbox);`,
        args: [body],
        sandbox: 'system',
      });
      return JSON.parse(value) as T;
    },
    takeHosts: (origins) =>
      chrome(
        `const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
         const { extension } = WebExtensionPolicy.getByID('${GECKO_ID}');
         return ExtensionPermissions.remove('${GECKO_ID}', { permissions: [], origins: ${JSON.stringify(origins)} }, extension)
           .then(() => null)`,
      ),
    async close() {
      await marionette.send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => {});
      marionette.close();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(timer);
      proxy.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Starts a request in the page; `outcomeOf` waits for its end. */
export async function startRequest(page: FirefoxPage, method: string, params?: unknown): Promise<void> {
  await page.run(
    `window.outcome = undefined;
     window.wallet.request(window.JSON.parse(arguments[0])).then(
       (result) => { window.outcome = { result }; },
       ({ code, message, data }) => { window.outcome = { error: { code, message, data } }; },
     );`,
    JSON.stringify({ method, params }),
  );
}

export const outcomeOf = (page: FirefoxPage): Promise<Outcome> =>
  poll('the answer to the page', async () => {
    const text = await page.run<string | null>('return JSON.stringify(window.outcome) ?? null');
    return text === null ? undefined : (JSON.parse(text) as Outcome);
  });
