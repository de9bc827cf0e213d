/**
 * `npm run mutants`: changes the source in one place at a time and runs the tests that reach that
 * place. A change that no test notices survives, and is printed with its line.
 *
 *   npm run mutants                       every area of `areas.ts`, one after the other
 *   npm run mutants -- src/journal        this one, or a folder or file below one; several as well
 *   npm run mutants -- src/journal/rule.ts:100-250     these lines of a file
 *   npm run mutants -- --all src/journal  also what an earlier run knows already
 *
 * What ran is kept in `out/mutants`: only mutants whose place or tests have changed run again.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../scripts/prepare.mjs';
import { peer } from '../bench/support/peers.ts';
import { areas, reachedOnly } from './areas.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Report {
  readonly files: Record<string, { readonly mutants: readonly Mutant[] }>;
}
interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } });
const asked = positionals.length > 0 ? positionals.map((path) => relative(root, resolve(path))) : Object.keys(areas);

/** The smallest area that a path is in. */
function areaOf(path: string): string {
  const area = Object.keys(areas)
    .filter((name) => path === name || path.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];
  if (area === undefined || !existsSync(join(root, path)))
    throw new Error(`${path} is in none of ${Object.keys(areas).join(', ')}`);
  return area;
}

/** @returns Mutants of a path by how they ended. */
function mutate(asked: string): Map<string, number> {
  const [path = ''] = asked.split(':');
  const area = areaOf(path);
  const { folder } = peer('stryker', say);
  const out = join(root, 'out/mutants', asked.replaceAll(/[/:]/g, '-'));
  mkdirSync(out, { recursive: true });
  const tests = (areas[area] ?? []).map((test) => (test.endsWith('.ts') ? test : `${test}/**/*.test.ts`));
  const options = {
    mutate: [statSync(join(root, path)).isDirectory() ? `${path}/**/*.ts` : asked],
    plugins: [join(folder, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: join(out, 'incremental.json'),
    force: values.all === true,
    concurrency: 1,
    // A slow machine is no noticed mutant.
    timeoutMS: 60_000,
    ignorePatterns: ['dist', 'out', 'docs', 'test/e2e', 'test/bench', 'test/foreign'],
    tempDirName: join(out, 'sandbox'),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: join(out, 'report.json') },
    // It would be rewritten with a compiler that the product does not install; nothing of it is
    // needed to run tests.
    tsconfigFile: 'none',
    allowConsoleColors: false,
  };
  const file = join(out, 'stryker.json');
  writeFileSync(file, JSON.stringify(options, null, 2));
  const { status } = spawnSync(
    process.execPath,
    [join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', file],
    {
      ...{ cwd: root, stdio: 'inherit' },
      env: {
        ...{ ...process.env, MUTANT_TESTS: JSON.stringify(tests) },
        // What is made once, such as a schema, is reached by the first test alone; where few files
        // are run, every test counts.
        ...(area.endsWith('.ts') && !reachedOnly.includes(area) ? { MUTANT_EVERY_TEST: 'yes' } : {}),
      },
    },
  );
  if (status !== 0) throw new Error(`the mutants of ${asked} did not run to their end`);
  const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Report;
  const counts = new Map<string, number>();
  for (const [name, { mutants }] of Object.entries(report.files))
    for (const { status: end, replacement, location } of mutants) {
      counts.set(end, (counts.get(end) ?? 0) + 1);
      if (end === 'Survived' || end === 'NoCoverage')
        say(`${end} ${name}:${location.start.line} ${(replacement ?? '').split('\n')[0]?.slice(0, 100)}`);
    }
  return counts;
}

for (const path of asked) {
  const counts = mutate(path);
  const of = (...ends: string[]) => ends.reduce((sum, end) => sum + (counts.get(end) ?? 0), 0);
  const noticed = of('Killed', 'Timeout');
  const all = noticed + of('Survived', 'NoCoverage');
  say(`${path}: ${noticed} of ${all} mutants noticed (${((100 * noticed) / Math.max(1, all)).toFixed(1)} %)`);
}
