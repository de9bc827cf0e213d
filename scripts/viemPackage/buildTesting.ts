import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { bin, root, run } from '../prepare.mjs';
import { buildRelayer } from '../relayerPackage/buildRelayer.ts';

/**
 * Puts what the entry `testing` starts into the package in `folder`: the relayer, and the build of
 * the extension for tests.
 */
export async function buildTesting(folder: string): Promise<void> {
  const { code, output } = await run(bin('vite'), ['build', '--mode', 'automation'], {
    show: false,
    // As in `buildAll`.
    env: { VITEST: undefined, NODE_ENV: undefined },
  });
  if (code !== 0) throw new Error(`the extension for tests was not built\n${output}`);
  cpSync(join(root, 'dist/automation'), join(folder, 'testing/extension'), { recursive: true });
  await buildRelayer({ folder: join(folder, 'testing/relayer'), embedded: true });
}
