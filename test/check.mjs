/**
 * `npm run check`: what to run after each change, in about a minute. Types, lint, architecture,
 * texts and the documents' references as a whole; then the unit tests that the change can reach by
 * imports, the nearest first, until the minute is over. It says what it did not get to: that is
 * left to `npm test`. `--seconds N` gives it another time.
 */
import { join } from 'node:path';
import { bin, endChildren, root, run } from '../scripts/prepare.mjs';
import { readFlags } from '../scripts/readFlags.mjs';
import { git, importersOf, modulesOf, reachedTests } from './reachedTests.mjs';

const { seconds } = readFlags(
  'npm run check [-- --seconds N]: types, lint, and the tests that the change can reach, in N seconds (55)',
  { options: { seconds: { type: 'string', default: '55' } } },
).values;
if (!(Number(seconds) > 0)) {
  process.stdout.write(`--seconds: a number above zero, not ${seconds}\n`);
  process.exit(2);
}
/** Tests that read files which they do not import. */
const readers = ['test/architecture', 'test/docs/references.test.ts', 'test/ui/catalogs.test.ts'];
/** Test files in one run of Vitest, whose start takes about a second. */
const AT_ONCE = 4;
const started = Date.now();
const left = () => Number(seconds) * 1000 - (Date.now() - started);
const say = (line) => process.stdout.write(`${line}\n`);

/** Files that differ from what is on the server, or from the last commit where there is none. */
function changedFiles() {
  let base = 'HEAD';
  try {
    [base] = git(['merge-base', 'HEAD', 'origin/HEAD']);
  } catch {
    say('There is no origin: changes since the last commit count.');
  }
  return new Set([...git(['diff', '--name-only', base]), ...git(['ls-files', '--others', '--exclude-standard'])]);
}

const within = (work) => {
  let timer;
  const over = new Promise((end) => {
    timer = setTimeout(end, Math.max(0, left()), null);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
};

const failed = [];
/** Parts that always run, and that the time did not suffice for. */
const unfinished = [];
const part = async (name, command, args) => {
  const ended = await within(run(command, args, { show: false }));
  if (ended === null) return null;
  say(`${ended.code === 0 ? '  ' : '✗ '}${name}, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  if (ended.code !== 0) {
    say(ended.output);
    failed.push(name);
  }
  return ended;
};
const types = (...args) => ['--noEmit', '--incremental', ...args];
const cache = (name) => ['--tsBuildInfoFile', join(root, `node_modules/.cache/check-${name}.tsbuildinfo`)];
const vitest = (files) => ['run', '--project', 'unit*', '--reporter', 'dot', ...files];

const modules = modulesOf(root);
const importers = importersOf(modules);
const changed = changedFiles();
const tests = reachedTests(changed, importers).filter((file) => modules.includes(file));
say(`${changed.size} files changed; they reach ${tests.length} files of unit tests.`);
const unreached = [...changed].filter((file) => reachedTests([file], importers).length === 0);
if (unreached.length > 0) say(`No unit test imports these, which are left to npm test: ${unreached.join(', ')}`);

const whole = async (name, ...command) => {
  if (left() <= 0 || (await part(name, ...command)) === null) unfinished.push(name);
};
await Promise.all([
  whole('types', bin('tsc'), types(...cache('all'))).then(() =>
    whole('types of the pure folders', bin('tsc'), types('-p', 'tsconfig.pure.json', ...cache('pure'))),
  ),
  whole('lint', 'npm', ['run', '--silent', 'lint']).then(() =>
    whole('architecture and references', bin('vitest'), vitest(readers)),
  ),
]);
let done = 0;
while (done < tests.length && left() > 0) {
  const next = tests.slice(done, done + AT_ONCE);
  if ((await part(next.join(' '), bin('vitest'), vitest(next))) === null) break;
  done += next.length;
}
endChildren();
if (done < tests.length) say(`The time is over: ${tests.length - done} of ${tests.length} files are left to npm test.`);
if (unfinished.length > 0) say(`The time did not suffice for: ${unfinished.join(', ')}.`);
const held = failed.length + unfinished.length === 0;
say(held ? 'What ran held.' : `${failed.length} failed, ${unfinished.length} did not end.`);
process.exit(held ? 0 : 1);
