import { execFile } from 'node:child_process';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/prepare.mjs';

/**
 * What `npm run NAME -- ARGS` does, for a script that tsx runs: in one process, where npm and tsx
 * begin two more.
 * @returns its exit code, the lines of its output, and what it wrote to stderr.
 */
export function runScript(
  name: keyof typeof project.scripts,
  ...args: readonly string[]
): Promise<{ code: number; lines: string[]; errors: string }> {
  const [runner, ...script] = project.scripts[name].split(' ');
  if (runner !== 'tsx') throw new Error(`npm run ${name} is no script of tsx`);
  return new Promise((resolve) =>
    execFile(process.execPath, ['--import', 'tsx', ...script, ...args], { cwd: root }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), lines: output.trimEnd().split('\n'), errors }),
    ),
  );
}
