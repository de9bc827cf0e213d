import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readFlags } from '../../scripts/readFlags.mjs';
import { type BenchRow, type BenchRun, readRows, summaryOf, tableOf, writeReport } from './support/report.ts';

/**
 * `npm run bench -- NAME …` runs the named benches, `npm run bench` all of them. A bench is a file
 * of this folder that exports `run`. Prints a table for each and writes `out/bench/NAME.json`. The
 * last table has all goals: value, goal, held or missed. `--before=FOLDER` adds the values of an
 * earlier run, whose reports are in that folder. `--short` does less of everything, to see that a
 * bench works. Only a bench that cannot run gives exit code 1.
 */
const root = join(import.meta.dirname, '../..');
const available = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -3))
  .sort();
const usage = `npm run bench [-- NAME …]: runs the named benches, or all: ${available.join(', ')}

  --before=FOLDER    adds the values of an earlier run, whose reports are in that folder
  --short            does less of everything, to see that a bench works
  --accounts=N,N     rollup: sizes of the state
  --speed --batch --where --curve --overload --growth --sealing
                     relayer: these parts alone

failover installs Patroni by apt where it is missing and apt-get needs no password. ui installs
Chromium in the same way.`;
const flag = { type: 'boolean' } as const;
const { values, positionals: asked } = readFlags(usage, {
  options: {
    before: { type: 'string' },
    short: flag,
    accounts: { type: 'string' },
    speed: flag,
    batch: flag,
    where: flag,
    curve: flag,
    overload: flag,
    growth: flag,
    sealing: flag,
  },
  allowPositionals: true,
});
const unknown = asked.filter((name) => !available.includes(name));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${available.join(', ')}`);
  process.exit(2);
}

const say = (line: string) => console.log(`  ${line}`);
const chosen = asked.length > 0 ? asked : available;
const beforeFolder = values.before;
const before: BenchRow[] = [];
const all: BenchRow[] = [];
const failed: string[] = [];
const named = (name: string, rows: readonly BenchRow[]) =>
  rows.map((row) => ({ ...row, what: `${name}: ${row.what}` }));
for (const name of chosen) {
  console.log(`bench ${name}`);
  try {
    const { run } = (await import(`./${name}.ts`)) as { run: BenchRun };
    const report = await run(say);
    console.log(`\n${tableOf(report.rows)}\n`);
    all.push(...named(name, report.rows));
    if (beforeFolder !== undefined) before.push(...named(name, await readRows(resolve(beforeFolder), name)));
    for (const note of report.notes ?? []) console.log(note);
    console.log(`written to ${await writeReport(root, name, report)}\n`);
  } catch (error) {
    console.error(`bench ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    failed.push(name);
    process.exitCode = 1;
  }
}
console.log(summaryOf(all, beforeFolder === undefined ? undefined : before));
if (failed.length > 0) console.log(`did not run: ${failed.join(', ')}`);
if (chosen.length > 1) console.log(`\nwritten to ${await writeReport(root, 'all', { rows: all })}`);
