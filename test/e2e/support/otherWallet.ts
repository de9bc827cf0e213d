import { copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BrowserContext, Worker } from 'playwright-core';
import { build } from 'vite';

const source = resolve(import.meta.dirname, '../otherWallet');

/** Builds the extension that plays the other wallet. @returns Its folder. */
export async function buildOtherWallet(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'countersign-other-'));
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    build: {
      outDir,
      emptyOutDir: false,
      lib: { entry: join(source, 'background.ts'), formats: ['es'], fileName: () => 'background.js' },
      rollupOptions: { output: { codeSplitting: false } },
    },
  });
  await copyFile(join(source, 'manifest.json'), join(outDir, 'manifest.json'));
  return outDir;
}

/** The worker of an extension that is not ours. */
export async function foreignWorker(context: BrowserContext, ownId: string): Promise<Worker> {
  const isForeign = (worker: Worker) => new URL(worker.url()).host !== ownId;
  return context.serviceWorkers().find(isForeign) ?? context.waitForEvent('serviceworker', isForeign);
}

/** Puts the other wallet into a mood. */
export const setMood = (worker: Worker, mood: object) =>
  worker.evaluate((values) => chrome.storage.local.set(values), mood);
