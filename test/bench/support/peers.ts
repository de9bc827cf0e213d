import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * A package to compare with: installed on demand from the lockfile of its own folder
 * `test/bench/peers/NAME`, without install scripts, and never part of the product's dependency
 * tree.
 * @returns The folder, and a `require` that resolves there.
 * @throws {Error} The installation failed; the message has npm's last lines.
 */
export function peer(name: string, say: (line: string) => void): { folder: string; require: NodeJS.Require } {
  const folder = join(import.meta.dirname, '../peers', name);
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) {
    say(`installing ${name} (once)`);
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (npm.status !== 0)
      throw new Error(`cannot install the peer ${name}: ${npm.stderr.trim().split('\n').slice(-3).join(' | ')}`);
  }
  return { folder, require: createRequire(join(folder, 'package.json')) };
}
