/**
 * `npm run package`: builds both extensions and packs each into
 * `dist/countersign-<browser>-<version>.zip`, the same bytes from the same tree, with a list of
 * contents and SHA-256 hashes beside it. The packed manifest has no `key`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll, root, Stop } from '../prepare.mjs';
import { readFlags } from '../readFlags.mjs';
import { say } from '../say.ts';
import { sha256, type Zip, zipFolder } from './zipFolder.ts';

readFlags('npm run package: builds both extensions and packs them into dist/, with their hashes');

function listOf({ entries }: Zip): string {
  const width = Math.max(...entries.map(({ bytes }) => String(bytes).length));
  return entries.map(({ path, bytes, sha256 }) => `${sha256}  ${String(bytes).padStart(width)}  ${path}`).join('\n');
}

async function pack(browser: 'chromium' | 'firefox'): Promise<string> {
  const folder = join(root, 'dist', browser);
  const { version } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { version: string };
  const zip = await zipFolder(folder);
  const name = `countersign-${browser}-${version}`;
  const list = listOf(zip);
  writeFileSync(join(root, 'dist', `${name}.zip`), zip.bytes);
  writeFileSync(join(root, 'dist', `${name}.txt`), `${list}\n`);
  say(`${name}.zip: ${zip.entries.length} files, ${zip.bytes.length} bytes\n${list}\n`);
  return `${sha256(zip.bytes)}  ${name}.zip`;
}

try {
  await buildAll();
  const sums = [await pack('chromium'), await pack('firefox')].join('\n');
  // `sha256sum --check SHA256SUMS` reads this form.
  writeFileSync(join(root, 'dist/SHA256SUMS'), `${sums}\n`);
  say(sums);
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
