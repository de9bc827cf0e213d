import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './prepare.mjs';

/**
 * Installs a tool that has a folder and a lockfile of its own, when it is used for the first time.
 * @param {string} folder
 * @returns {Promise<string | null>} why it could not be installed
 */
export async function installTool(folder) {
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return null;
  const { code, output } = await run(
    'npm',
    ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { show: false },
  );
  return code === 0 ? null : `${folder} could not be installed (npm ci, code ${code}): ${output.trim()}`;
}
