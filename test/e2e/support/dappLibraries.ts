import { join } from 'node:path';
import { build } from 'vite';
import { installTool } from '../../../scripts/installTool.mjs';
import { root } from '../../../scripts/prepare.mjs';

const folder = join(root, 'test/foreign/dapp-libraries');

/**
 * Installs the libraries from their own lockfile when they are used for the first time.
 * @returns why they could not be installed
 */
export const installLibraries = (): Promise<string | null> => installTool(folder);

/**
 * What a page of a library may load: nothing from elsewhere. A library that asks a service of its
 * own is refused by the browser, as it is for a user without that service.
 */
const policy = "default-src 'self' 'unsafe-inline' data: blob:; connect-src 'self'";

/** The page of one library, with everything that it needs in one script. */
export async function libraryPage(name: string): Promise<string> {
  const made = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'countersign-viem': join(root, 'src/viem/index.ts') }, dedupe: ['viem'] },
    define: { 'process.env': '{}', global: 'globalThis' },
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      rollupOptions: { input: join(folder, `pages/${name}.mjs`), output: { codeSplitting: false } },
    },
  });
  const [result] = Array.isArray(made) ? made : [made];
  if (!result || !('output' in result)) throw new Error(`the page of ${name} was not bundled`);
  const code = result.output[0].code.replaceAll('</script', '<\\/script');
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}"><title>${name}</title><script type="module">${code}</script>`;
}
