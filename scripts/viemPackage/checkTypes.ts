/**
 * `tsx scripts/viemPackage/checkTypes.ts`: builds the npm package and resolves its types as
 * TypeScript does from modules and for bundlers. It holds ES modules only, which every Node that it
 * supports can also `require`.
 */
import { join } from 'node:path';
import { installTool } from '../installTool.mjs';
import { root, run } from '../prepare.mjs';
import { buildPackage } from './buildPackage.ts';

const folder = join(root, 'out/viem');
const tool = join(root, 'scripts/viemPackage/attw');

await buildPackage(folder);
const problem = await installTool(tool);
const { code, output } = problem
  ? { code: 1, output: problem }
  : await run(
      process.execPath,
      [
        join(tool, 'node_modules/@arethetypeswrong/cli/dist/index.js'),
        ...['--pack', folder, '--profile', 'esm-only', '--no-color', '--format', 'ascii'],
      ],
      { show: false },
    );
process.stdout.write(`${output.trim()}\n`);
process.exitCode = code;
