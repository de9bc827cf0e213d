import { join } from 'node:path';
import { build } from 'vite';
import { root } from '../../../scripts/prepare.mjs';

/**
 * One module of an example, bundled with what it imports as a dApp would be, for `page.evaluate`.
 */
export async function bundleExample(source: string): Promise<string> {
  const entry = join(root, 'example.ts');
  const made = await build({
    root,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'countersign-viem': join(root, 'src/viem/index.ts') } },
    plugins: [
      {
        name: 'example',
        resolveId: (id) => (id === entry ? entry : undefined),
        load: (id) => (id === entry ? source : undefined),
      },
    ],
    build: { write: false, minify: false, rollupOptions: { input: entry, output: { format: 'iife' } } },
  });
  const [result] = Array.isArray(made) ? made : [made];
  if (!result || !('output' in result)) throw new Error('the example was not bundled');
  return result.output[0].code;
}
