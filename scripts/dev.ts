/**
 * `npm run dev`: builds the extension again at each change and loads it anew in an open Chromium. The dev server of the
 * bundler is not used, because it needs inline styles and remote scripts, which the extension's policy forbids.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { build } from 'vite';
import { openBrowser } from './demo/openBrowser.ts';
import { findOrInstallChromium, root, Stop } from './prepare.mjs';

/** Rollup-like watcher, as far as it is used here. */
interface Watcher {
  on(event: 'event', listener: (event: { code: string; error?: Error }) => void): void;
  close(): Promise<void>;
}

const say = (line: string) => process.stdout.write(`${line}\n`);
const headless = process.argv.includes('--headless') || !(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** One build writes several bundles; the extension is loaded anew when the last of them is there. Milliseconds. */
const QUIET_MS = 400;

/** Loads the extension anew and then the pages, whose content scripts belong to the one before. */
async function reload(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(() => chrome.runtime.reload()).catch(() => {});
  for (const page of context.pages()) if (/^https?:/.test(page.url())) await page.reload().catch(() => {});
}

async function main(): Promise<void> {
  const executablePath = await findOrInstallChromium(say);
  const profile = await mkdtemp(join(tmpdir(), 'countersign-dev-'));
  const watcher = (await build({ root, logLevel: 'warn', build: { watch: {} } })) as unknown as Watcher;
  let context: BrowserContext | undefined;
  let builds = 0;
  let timer: NodeJS.Timeout | undefined;
  let failed = false;

  const end = async () => {
    await watcher.close();
    await context?.close().catch(() => {});
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());

  const built = async () => {
    builds++;
    if (context) {
      await reload(context);
      say(`Build ${builds}: the extension was loaded anew.`);
      return;
    }
    ({ context } = await openBrowser({ executablePath, headless, profile }));
    context.on('close', () => void end());
    say('Build 1: the extension runs. It is loaded anew at each change under src/ or public/; ctrl-C ends.');
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
        void end();
      });
    }, QUIET_MS);
  });
}

await main();
