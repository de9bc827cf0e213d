import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { licences } from '../build/licences.ts';
import { root } from '../prepare.mjs';

/** Where the artefact is built. */
export const folder = join(root, 'dist/relayer');

interface BuildRelayerOptions {
  /** Emptied first; `dist/relayer` when absent. */
  readonly folder?: string;
  /** For development: with the embedded database, which is installed beside it. */
  readonly embedded?: boolean;
}

/** Entry files by the name they get; the threads need no loader of TypeScript here. */
const entries = {
  relayer: 'src/relayer/main.ts',
  operator: 'src/relayer/operator/main.ts',
  signatureThreadStart: 'src/relayer/engine/signatureThread.ts',
  stateThreadStart: 'src/relayer/engine/state/stateThread.ts',
};

/** PostgreSQL in the process is 14 MB and for development; who starts without a server is told. */
const withoutEmbeddedDatabase = (): Plugin => ({
  name: 'without-embedded-database',
  enforce: 'pre',
  transform: (_code, id) =>
    id.endsWith('/src/relayer/db/pglite.ts')
      ? {
          code: `export const openPglite = async () => {
            throw new Error('the release has no embedded database: set DATABASE_URL to a PostgreSQL server');
          };`,
          map: null,
        }
      : null,
});

/**
 * Builds the relayer and the operator's command as plain modules that Node runs without a loader
 * and without `node_modules`. The same tree gives the same bytes.
 */
export async function buildRelayer({
  folder: outDir = folder,
  embedded = false,
}: BuildRelayerOptions = {}): Promise<void> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [...(embedded ? [] : [withoutEmbeddedDatabase()]), licences()],
    ssr: { noExternal: true, target: 'node' },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      copyPublicDir: false,
      rollupOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
        // An optional part of the driver that is never installed here.
        external: ['pg-native', ...(embedded ? ['@electric-sql/pglite'] : [])],
        output: {
          format: 'es',
          entryFileNames: '[name].mjs',
          chunkFileNames: 'shared-[hash].mjs',
          comments: { jsdoc: false },
        },
      },
    },
  });
  copyFileSync(join(root, 'docs/operator.md'), join(outDir, 'operator.md'));
}
