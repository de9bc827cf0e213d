import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, root } from '../../scripts/prepare.mjs';

/** The commands of `package.json` that take no options but those of their usage. */
const commands = [
  ...['build:relayer', 'build:viem', 'package', 'check', 'store', 'screens', 'vectors', 'bench'],
  ...['replay', 'verify-proofs', 'verify-receipt'],
];
const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts as Record<string, string>;

const end = (command: string, ...args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const [runner = '', file = ''] = scripts[command]?.split(' ') ?? [];
    // A command that begins its work in spite of the argument is ended, and has the wrong code.
    const child = execFile(
      runner === 'node' ? process.execPath : bin(runner),
      [file, ...args],
      { cwd: root, timeout: 240_000 },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? 1, stdout, stderr }),
    );
  });

test.each(commands)(
  'npm run %s prints its usage for --help, and refuses an argument that it does not know',
  async (name) => {
    expect(existsSync(join(root, scripts[name]?.split(' ')[1] ?? ''))).toBe(true);
    const [help, mistyped] = await Promise.all([end(name, '--help'), end(name, '--shrot')]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain(`npm run ${name}`);
    expect(mistyped).toMatchObject({ code: 2, stdout: '' });
    expect(mistyped.stderr).toMatch(/^Unknown option '--shrot'[^\n]*\n\nnpm run /);
  },
);
