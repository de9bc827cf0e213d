import { join } from 'node:path';
import { type BrowserContext, chromium, type Worker } from 'playwright-core';
import { root, Stop } from '../prepare.mjs';

export interface DemoBrowser {
  readonly context: BrowserContext;
  /** Host of the extension's pages. */
  readonly extensionId: string;
}

/**
 * Room for the page and its log. The browser's own option would give every window this size, the
 * wallet's approval window too.
 */
async function sizeFirstWindow(context: BrowserContext): Promise<void> {
  const [page] = context.pages();
  if (!page) return;
  const session = await context.newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  await session.send('Browser.setWindowBounds', { windowId, bounds: { width: 1360, height: 960 } });
  await session.detach();
}

/**
 * Opens Chromium with the built extension and an own profile.
 * @throws {Stop} the browser did not start, or started without the extension.
 */
export async function openBrowser(options: {
  readonly executablePath: string;
  readonly headless: boolean;
  readonly profile: string;
  /** Folder of the built extension; `dist/chromium` when absent. */
  readonly extension?: string;
  /** Variables for a browser whose pictures are kept; those of this process when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of other extensions to load beside it. */
  readonly others?: readonly string[];
}): Promise<DemoBrowser> {
  const extensions = [options.extension ?? join(root, 'dist/chromium'), ...(options.others ?? [])].join(',');
  const launch = (sandbox: boolean) =>
    chromium.launchPersistentContext(options.profile, {
      executablePath: options.executablePath,
      headless: options.headless,
      chromiumSandbox: sandbox,
      ...(options.headless
        ? { env: { ...(options.env ?? process.env), LANGUAGE: 'en', LC_ALL: 'C.UTF-8' } as Record<string, string> }
        : {}),
      // In a window the page follows the window's size.
      viewport: options.headless ? { width: 1280, height: 860 } : null,
      // The launcher ends the browser itself, after the tour's last line.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: [
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-extensions-except=${extensions}`,
        `--load-extension=${extensions}`,
        // The tour finds the wallet's buttons by their English words.
        ...(options.headless ? ['--disable-gpu', '--lang=en-US'] : []),
      ],
    });
  // Chromium refuses its sandbox to root, and in containers without user namespaces.
  const context = await launch(process.getuid?.() !== 0)
    .catch(() => launch(false))
    .catch((error: Error) => {
      throw new Stop(
        `Chromium (${options.executablePath}) did not start${options.headless ? '' : ' with a window; npm start -- --headless does without one'}.\n\n${error.message}`,
      );
    });
  if (!options.headless) await sizeFirstWindow(context);
  const isOurs = (candidate: Worker) => candidate.url().endsWith('/countersign-worker.js');
  const worker =
    context.serviceWorkers().find(isOurs) ??
    (await context.waitForEvent('serviceworker', { predicate: isOurs, timeout: 15_000 }).catch(() => {
      throw new Stop(
        `${options.executablePath} started without the extension. Name a Chromium that may load extensions in the variable CHROMIUM.`,
      );
    }));
  return { context, extensionId: new URL(worker.url()).host };
}
