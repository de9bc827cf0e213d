import { modulesAreCurrent, run } from './prepare.mjs';

/**
 * Installs what has a folder and a lockfile of its own, when it is used for the first time and
 * after its lockfile has changed.
 * @param {string} folder
 * @returns {Promise<string | null>} why it could not be installed
 */
export async function installTool(folder) {
  if (modulesAreCurrent(folder)) return null;
  const { code, output } = await run(
    'npm',
    ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { show: false },
  );
  return code === 0 ? null : `${folder} could not be installed (npm ci, code ${code}): ${output.trim()}`;
}
