import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/**
 * The globals of Node that packages made for bundlers of their own expect; inside the script, never
 * on the page.
 */
const nodeGlobals = `const process = { env: { NODE_ENV: 'production' }, browser: true, version: '', nextTick: (call, ...args) => queueMicrotask(() => call(...args)) };
const global = globalThis;`;

/**
 * Page scripts of other wallets: an entry in `test/bench/peers/page-providers/entries/` for each.
 */
export const PEERS = ['metamask', 'rabby', 'polkadot'] as const;

/**
 * Writes an extension that runs the peer's page script, minified, at the start of each page of
 * `host`, and nothing else.
 * @param peerFolder - Where the peers' packages are installed.
 * @returns Bytes of the script.
 */
export async function writePeerExtension(
  peer: (typeof PEERS)[number],
  peerFolder: string,
  folder: string,
  host: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name: `page script of ${peer}`,
    version: '1',
    content_scripts: [{ matches: [`http://${host}/*`], js: ['page.js'], run_at: 'document_start', world: 'MAIN' }],
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  await build({
    configFile: false,
    logLevel: 'error',
    root: peerFolder,
    define: { 'process.env.NODE_ENV': '"production"' },
    // Node's names are packages here: the trailing slash keeps the bundler from taking them for
    // Node's own.
    resolve: { alias: { buffer: 'buffer/', events: 'events/' } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: true,
      lib: {
        entry: join(peerFolder, `entries/${peer}.mjs`),
        formats: ['iife'],
        name: 'peer',
        fileName: () => 'page.js',
      },
      rollupOptions: { output: { intro: nodeGlobals } },
    },
  });
  return join(folder, 'page.js');
}
