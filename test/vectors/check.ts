import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFlags } from '../../scripts/readFlags.mjs';
import { checkVectorFile } from '../support/checkVectorFile.ts';

/**
 * `npm run vectors -- DIR`: checks every `*.json` of a folder against the code; the default is this
 * folder. One line a file, the failures of a file below it, the totals last. Vectors of a kind that
 * is not known are counted as unread. Exit code 1 when anything failed or was unread, or there was
 * nothing to check.
 */
const usage = 'npm run vectors [-- FOLDER]: checks the signing vectors of a folder against the code';
const [folder = import.meta.dirname] = readFlags(usage, { allowPositionals: true }).positionals;
const names = await readdir(folder).then(
  (entries) => entries.filter((name) => name.endsWith('.json')).sort(),
  (error: Error) => {
    console.error(`cannot read ${folder}: ${error.message}`);
    return [];
  },
);
if (names.length === 0) console.error(`no vector files in ${folder}`);

let passed = 0;
let failed = 0;
let unread = 0;
const totals = (result: { passed: number; failed: number; unread: number }) =>
  `${result.passed} passed, ${result.failed} failed${result.unread > 0 ? `, ${result.unread} unread` : ''}`;
for (const name of names) {
  const result = await checkVectorFile(await readFile(join(folder, name), 'utf8'));
  console.log(`${name}: ${totals(result)}`);
  for (const failure of result.failures) console.log(`  ${failure}`);
  passed += result.passed;
  failed += result.failed;
  unread += result.unread;
}
console.log(totals({ passed, failed, unread }));
process.exitCode = failed > 0 || unread > 0 || names.length === 0 ? 1 : 0;
