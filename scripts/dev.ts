/**
 * `npm run dev`: builds the extension again at each change and loads it anew in an open Chromium,
 * beside a relayer, the demo page and a funded account. The dev server of the bundler is not used,
 * because it needs inline styles and remote scripts, which the extension's policy forbids.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext, ConsoleMessage } from 'playwright-core';
import { build } from 'vite';
import { openBrowser } from './demo/openBrowser.ts';
import { setUpNewWallet } from './demo/setUpNewWallet.ts';
import { startStage } from './demo/startStage.ts';
import { demoPassword } from './demo/tour/setUpWallet.ts';
import { bin, findOrInstallChromium, root, run, Stop } from './prepare.mjs';
import { say } from './say.ts';

const usage = `npm run dev -- [options]

  --headless      no window (the default where there is no display)
  --port N        port of the relayer, 4520 by default; the demo page takes the next one; 0 takes free ones
  --profile DIR   folder of browser profile, relayer database and keys; .dev by default
  --fresh         empty that folder first
  --help          this text
`;

/** Rollup-like watcher, as far as it is used here. */
interface Watcher {
  on(event: 'event', listener: (event: { code: string; error?: Error }) => void): void;
  close(): Promise<void>;
}

/**
 * One build writes several bundles; the extension is loaded anew when the last of them is there.
 * Milliseconds.
 */
const QUIET_MS = 400;
/** Apart from what is tested and packed: this build is not minified. */
const outDir = join(root, 'dist/dev');
const REPORTED: readonly string[] = ['error', 'warning', 'log', 'info', 'debug'];

/** Undone in reverse order at the end. */
const undo: (() => Promise<void>)[] = [];
let ending = false;

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  for (const step of undo.reverse())
    await Promise.race([step().catch(() => {}), new Promise((done) => setTimeout(done, 5_000).unref())]);
  process.exit(code);
}

function readOptions() {
  const hasDisplay =
    ['darwin', 'win32'].includes(process.platform) || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  try {
    const { values } = parseArgs({
      options: {
        headless: { type: 'boolean', default: !hasDisplay },
        port: { type: 'string', default: '4520' },
        profile: { type: 'string', default: join(root, '.dev') },
        fresh: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const port = Number(values.port);
    if (!Number.isInteger(port) || (port !== 0 && port < 1024) || port > 65_534)
      throw new Error(`--port takes 0 or a number from 1024 to 65534, not ${values.port}`);
    return { ...values, port };
  } catch (error) {
    throw new Stop(`${(error as Error).message}\n\n${usage}`);
  }
}

/**
 * Prints what the worker and the wallet's pages write to their consoles, and what nobody caught.
 */
function printReports(context: BrowserContext, extensionId: string): void {
  const own = `chrome-extension://${extensionId}/`;
  const nameOf = (url: string) => url.replace(own, '').replace(/^src\/ui\/|[?#].*$|\.(?:html|js)$/g, '');
  const print = (from: string, message: ConsoleMessage) => {
    if (!REPORTED.includes(message.type())) return;
    const { url, lineNumber } = message.location();
    say(`[${nameOf(from)}] ${message.type()}: ${message.text()}${url ? ` (${nameOf(url)}:${lineNumber + 1})` : ''}`);
  };
  context.on('console', (message) => {
    const from = message.page()?.url() ?? message.worker()?.url() ?? '';
    if (from.startsWith(own)) print(from, message);
  });
  context.on('weberror', (error) => {
    const from = error.page()?.url() ?? '';
    if (from.startsWith(own)) say(`[${nameOf(from)}] uncaught: ${error.error().stack ?? error.error().message}`);
  });
}

/** Loads the extension anew and then the pages, whose content scripts belong to the one before. */
async function reload(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(() => chrome.runtime.reload()).catch(() => {});
  for (const page of context.pages()) if (/^https?:/.test(page.url())) await page.reload().catch(() => {});
}

async function buildPage(): Promise<void> {
  const { code, output } = await run(bin('vite'), ['build', '--config', 'src/demo/page/vite.config.ts'], {
    show: false,
    env: { VITEST: undefined },
  });
  if (code !== 0) throw new Stop(`The build of the demo page failed.\n\n${output}`);
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    say(usage);
    return end(0);
  }
  const folder = resolve(options.profile);
  if (options.fresh) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const executablePath = await findOrInstallChromium(say);
  await buildPage();
  const stage = await startStage({
    folder,
    keepsData: true,
    relayerPort: options.port,
    pagePort: options.port === 0 ? 0 : options.port + 1,
    password: demoPassword,
    say,
    atEnd: (step) => void undo.push(step),
  });

  const watcher = (await build({
    root,
    logLevel: 'warn',
    build: { outDir, watch: {}, sourcemap: true, minify: false },
  })) as unknown as Watcher;
  undo.push(() => watcher.close());
  let context: BrowserContext | undefined;
  let builds = 0;
  let timer: NodeJS.Timeout | undefined;
  let failed = false;

  const built = async () => {
    builds++;
    if (context) {
      await reload(context);
      say(`Build ${builds}: the extension was loaded anew.`);
      return;
    }
    const browser = await openBrowser({
      executablePath,
      headless: options.headless,
      profile: join(folder, 'browser'),
      extension: outDir,
    });
    context = browser.context;
    undo.push(() => browser.context.close());
    context.on('close', () => void end(0));
    printReports(context, browser.extensionId);
    if (stage.account.isNew)
      await setUpNewWallet({
        ...browser,
        relayerUrl: stage.relayer.url,
        gatewayUrl: stage.gateway.url,
        privateKey: stage.account.privateKey,
        say,
      });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(stage.page.url);
    say(`Build 1: the extension runs. It is loaded anew at each change of the extension or its texts; start again after one of relayer or demo page. Ctrl-C ends.
Relayer ${stage.relayer.url}, demo page ${stage.page.url}, account ${stage.account.owner}.
The wallet's password is ${demoPassword}. ${folder} is used again next time; --fresh empties it.`);
  };

  watcher.on('event', ({ code, error }) => {
    if (code === 'START') failed = false;
    if (code === 'ERROR') {
      failed = true;
      say(`The build failed; the extension stays as it was.\n${error?.message ?? ''}`);
    }
    clearTimeout(timer);
    if (code !== 'END' || failed) return;
    timer = setTimeout(() => {
      built().catch((failure: Error) => {
        say(failure instanceof Stop ? failure.message : String(failure));
        void end(1);
      });
    }, QUIET_MS);
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));
main().catch((failure: Error) => {
  say(failure instanceof Stop ? failure.message : (failure.stack ?? String(failure)));
  void end(1);
});
