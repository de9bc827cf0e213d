import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchRow, type BenchRun, tableOf, writeReport } from './support/report.ts';

/**
 * `npm run bench -- NAME …` runs the named benches, `npm run bench` all of them. A bench is a file
 * of this folder that exports `run`. Prints a table and writes `out/bench/NAME.json`; of several
 * benches also one table of all, `out/bench/all.json`. Goals are printed as held or missed; only a
 * bench that cannot run gives exit code 1.
 */
const root = join(import.meta.dirname, '../..');
const available = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -3))
  .sort();
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = asked.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${available.join(', ')}`);
  process.exit(1);
}

const say = (line: string) => console.log(`  ${line}`);
const chosen = asked.length > 0 ? asked : available;
const all: BenchRow[] = [];
for (const name of chosen) {
  console.log(`bench ${name}`);
  try {
    const { run } = (await import(`./${name}.ts`)) as { run: BenchRun };
    const report = await run(say);
    console.log(`\n${tableOf(report.rows)}\n`);
    all.push(...report.rows.map((row) => ({ ...row, what: `${name}: ${row.what}` })));
    for (const note of report.notes ?? []) console.log(note);
    console.log(`written to ${await writeReport(root, name, report)}\n`);
  } catch (error) {
    console.error(`bench ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 1;
  }
}
if (chosen.length > 1) console.log(`${tableOf(all)}\n\nwritten to ${await writeReport(root, 'all', { rows: all })}`);
