/**
 * `node scripts/package/lintFirefox.mjs`: Mozilla's linter over `dist/firefox`, as it runs when a
 * release is handed in.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTool } from '../installTool.mjs';
import { root, run } from '../prepare.mjs';

const tool = join(root, 'scripts/package/webExt');

/**
 * Warnings that are looked through and stay, each once; another of its kind is something new:
 * - the statement about data collection is known to Firefox for Android from 142 on; the extension
 *   is not offered there;
 * - preact assigns innerHTML for `dangerouslySetInnerHTML`, which no screen uses.
 */
const lookedThrough = ['KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION', 'UNSAFE_VAR_ASSIGNMENT'];

/**
 * Lints `dist/firefox`, which has to be there. Installs web-ext on first use.
 * @returns {Promise<string[]>} what is wrong, a line each; empty when nothing is.
 */
export async function lintFirefox() {
  const problem = await installTool(tool);
  if (problem) return [problem];
  const { code, output } = await run(
    process.execPath,
    [
      join(tool, 'node_modules/web-ext/bin/web-ext.js'),
      'lint',
      '--source-dir',
      join(root, 'dist/firefox'),
      '--output=json',
      '--no-input',
      '--no-config-discovery',
    ],
    { show: false },
  );
  try {
    const { errors, warnings, notices } = JSON.parse(output.slice(output.indexOf('{')));
    const left = [...lookedThrough];
    const isNew = ({ code }) => {
      const at = left.indexOf(code);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    };
    return [...errors, ...warnings.filter(isNew), ...notices].map(
      (found) => `${found._type} ${found.code} in ${found.file ?? 'the folder'}: ${found.message}`,
    );
  } catch {
    return [`web-ext ended with code ${code} and said no JSON: ${output.trim()}`];
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = await lintFirefox();
  process.stdout.write(wrong.length === 0 ? 'web-ext lint: nothing found\n' : `${wrong.join('\n')}\n`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
