import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

/** A module goes on to know its own place when it is a part of another one. */
const ownPlace: Plugin = {
  name: 'own-place',
  transform: (code, id) =>
    id.includes('/node_modules/') || !code.includes('import.meta.')
      ? null
      : code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
};

/**
 * Loads each test file as one module with everything it imports: every mutant is run in a new
 * worker, which would load some hundred modules one by one. Files with mocked modules stay as they
 * are.
 */
export const oneModule = (alias: Readonly<Record<string, string>>): Plugin => ({
  name: 'one-module',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('.test.ts') || readFileSync(id, 'utf8').includes('vi.mock(')) return null;
    const built = await build({
      configFile: false,
      logLevel: 'error',
      plugins: [ownPlace],
      resolve: { alias },
      ssr: { noExternal: true, external: ['vitest', 'hash-wasm', 'pg', '@electric-sql/pglite'] },
      build: { ssr: id, write: false, target: 'esnext', rolldownOptions: { output: { codeSplitting: false } } },
    });
    if (!('output' in built)) throw new Error(`${id} was not built as one module`);
    return { code: built.output[0].code, map: null };
  },
});
