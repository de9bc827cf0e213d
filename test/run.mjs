/**
 * `npm test`: everything that must hold, in one command. Installs what is missing, then runs types,
 * lint, build, and the unit, relayer and end-to-end tests. The last line is `N passed, N failed`;
 * every check that is not a test counts as one.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { lintFirefox } from '../scripts/package/lintFirefox.mjs';
import { tourFiles } from '../scripts/pictures/pictures.mjs';
import {
  bin,
  builds,
  checkNode,
  endChildren,
  findOrInstallChromium,
  findOrInstallFirefox,
  findOrInstallPostgres,
  freePair,
  installModules,
  root,
  run,
  Stop,
  stillRunning,
} from '../scripts/prepare.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const reports = join(root, 'out/test');
const results = [];
const allStarted = Date.now();

/** For parts that would build again what is built. */
const built = { COUNTERSIGN_BUILT: '1' };

const seconds = (started) => `${((Date.now() - started) / 1000).toFixed(1)} s`;

async function part(name, work) {
  say(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`);
  const started = Date.now();
  const { passed, failed, skipped = 0, notes = [] } = await work();
  results.push({ name, passed, failed, skipped, notes, took: seconds(started) });
  say(`── ${name}: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''} (${seconds(started)})`);
}

/**
 * Runs something whose output follows in one piece once it has ended, so that what runs beside it
 * stays readable.
 * @returns {Promise<number>} its exit code.
 */
async function runQuietly(command, args, env) {
  const { code, output } = await run(command, args, { env, show: false });
  say(output);
  return code;
}
const runAloud = async (command, args, env) => (await run(command, args, { env })).code;

/** Something that holds or does not; `notes` say what is wrong. */
const check = (...notes) => ({ passed: notes.length === 0 ? 1 : 0, failed: notes.length === 0 ? 0 : 1, notes });
const checkCode = (code, note) => check(...(code === 0 ? [] : [note]));

/** A script of package.json, as the documents name it. */
const script =
  (name, args = [], env = {}) =>
  async () => {
    const code = await runQuietly('npm', ['run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])], env);
    return checkCode(code, `npm run ${[name, ...args].join(' ')} ended with code ${code}`);
  };

/**
 * What a failed test said, shortened to what fits under its name. Vitest's report has no other
 * message of a test that ran out of time.
 */
function reason([message = '']) {
  const said = stripVTControlCharacters(message).replace(/^Error: STACK_TRACE_ERROR/, 'The test ran out of its time');
  const lines = said.split('\n').slice(0, 12);
  return lines.map((line) => `\n      ${line.slice(0, 240)}`).join('');
}

/**
 * One vitest run (`npm run unit`, `npm run e2e`), counted from its JSON report. A run that dies or
 * finds nothing counts as one failure.
 */
const vitest =
  (name, project, args, env, start = runAloud) =>
  async () => {
    const report = join(reports, `${name}.json`);
    rmSync(report, { force: true });
    const code = await start(
      'npm',
      [
        ...['run', '--silent', project, '--', ...args],
        // With a browser that hangs, each further test would take as long as a test may.
        ...(project === 'e2e' ? ['--bail=4', '--reporter=verbose'] : ['--reporter=default']),
        ...['--reporter=json', `--outputFile.json=${report}`],
      ],
      env,
    );
    if (!existsSync(report)) return check(`${name}: vitest ended with code ${code} and left no report`);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const tests = testResults.flatMap((file) =>
      file.assertionResults.map((test) => ({ ...test, file: relative(root, file.name) })),
    );
    const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
    const passed = count('passed');
    const failures = [
      ...tests
        .filter(({ status }) => status === 'failed')
        .map(({ file, fullName, failureMessages }) => `${file}: ${fullName}${reason(failureMessages)}`),
      // A file that does not load has no tests of its own.
      ...testResults
        .filter((file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'))
        .map((file) => `${relative(root, file.name)}: ${file.message.split('\n')[0]}`),
    ];
    if (failures.length === 0 && code !== 0)
      failures.push(`${name}: vitest ended with code ${code} (an error outside the tests; see above)`);
    if (failures.length === 0 && passed === 0) failures.push(`${name}: no test ran`);
    return { passed, failed: failures.length, skipped: tests.length - passed - count('failed'), notes: failures };
  };

/** Everything below `test/` but the relayer's. Vitest's `--exclude` does not reach projects. */
function unitPaths() {
  return readdirSync(join(root, 'test'), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'relayer' ? [] : [`test/${entry.name}/`];
    return /\.test\.tsx?$/.test(entry.name) ? [`test/${entry.name}`] : [];
  });
}

/** The end-to-end files that drive Firefox begin with its name; all others drive Chromium. */
function endToEndPaths(firefox) {
  return readdirSync(join(root, 'test/e2e'))
    .filter((name) => name.endsWith('.test.ts') && name.startsWith('firefox') === firefox)
    .map((name) => `test/e2e/${name}`);
}

/**
 * Firefox's part. Without a Firefox it says why it did not run: a failure in CI, elsewhere
 * something skipped.
 */
async function firefoxPart() {
  let path;
  try {
    path = await findOrInstallFirefox(say);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    say(error.message);
    return process.env.CI
      ? check(`the end-to-end tests in Firefox did not run: ${error.message}`)
      : { passed: 0, failed: 0, skipped: endToEndPaths(true).length };
  }
  return vitest('firefox', 'e2e', endToEndPaths(true), { FIREFOX: path, ...built })();
}

/**
 * PostgreSQL's programs. Without them the relayer's tests say what is missing, and all others use
 * the embedded database.
 */
async function postgres() {
  try {
    return await findOrInstallPostgres(say);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return error.message;
  }
}

/** The page of the demo, as `npm start` builds it. */
async function demoPage() {
  const { code } = await run(bin('vite'), builds.find(({ name }) => name === 'demo page').args);
  return checkCode(code, 'the demo page has no build');
}

/** Mozilla's linter over the build for Firefox. */
async function firefoxLint() {
  const wrong = await lintFirefox();
  for (const line of wrong) say(line);
  return check(...wrong);
}

/** How TypeScript resolves the npm package of the viem actions. */
async function viemPackageTypes() {
  const { code } = await run(bin('tsx'), ['scripts/viemPackage/checkTypes.ts']);
  return checkCode(code, `scripts/viemPackage/checkTypes.ts ended with code ${code}`);
}

/** The tour of `npm start`: the whole demo, walked without a window. */
async function tour() {
  const args = ['start', '--silent', '--', '--headless', '--port', String(await freePair())];
  const code = await runQuietly('npm', args, built);
  if (code !== 0) return check('the demo tour did not hold');
  const missing = tourFiles(readdirSync(join(root, 'out/tour'))).filter(([, file]) => file === undefined);
  return check(...missing.map(([name]) => `the tour took no picture named ${name}, which the guides show`));
}

function stop(signal) {
  const running = stillRunning();
  endChildren();
  say(`\nStopped by ${signal} after ${seconds(allStarted)}. Still running:\n\n${running.join('\n\n')}`);
  process.exit(130);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));

try {
  checkNode();
  await installModules(say);
  const chromium = await findOrInstallChromium(say);
  say(`Node ${process.versions.node}, ${chromium}, ${await postgres()}`);
  mkdirSync(reports, { recursive: true });

  const env = { CHROMIUM: chromium };
  const checks = async () => {
    await part('types', script('types'));
    await part('lint and format', script('lint'));
    await part('types of the viem package', viemPackageTypes);
  };
  const building = async () => {
    await part('build', script('build'));
    await part('build of the demo page', demoPage);
    await part('lint of the Firefox build', firefoxLint);
  };
  await Promise.all([checks(), building()]);
  await part('unit tests', vitest('unit', 'unit', ['--maxWorkers=4', ...unitPaths()], { ...env, ...built }));
  // A browser waits much of the time, for windows and their still time, and so do the relayer's
  // tests, for databases that are down: both go on beside each other to the end.
  const browsing = async () => {
    await part('end-to-end tests in Chromium', vitest('e2e', 'e2e', endToEndPaths(false), { ...env, ...built }));
    await Promise.all([part('end-to-end tests in Firefox', firefoxPart), part('demo tour', tour)]);
    await part('every screen', script('screens', ['--check'], env));
  };
  await Promise.all([
    part('relayer tests', vitest('relayer', 'unit', ['--maxWorkers=2', 'test/relayer/'], env, runQuietly)),
    browsing(),
  ]);
} catch (error) {
  results.push({
    name: 'preparation',
    passed: 0,
    failed: 1,
    skipped: 0,
    notes: [error instanceof Stop ? error.message : String(error.stack ?? error)],
    took: seconds(allStarted),
  });
}

say(`\n${'═'.repeat(74)}`);
for (const { name, passed, failed, skipped, took } of results)
  say(
    `${failed === 0 ? '  ' : '✗ '}${name.padEnd(32)}${String(passed).padStart(6)} passed${String(failed).padStart(5)} failed${skipped ? `${String(skipped).padStart(5)} skipped` : ''}   ${took}`,
  );
const notes = results.flatMap((result) => result.notes);
if (notes.length > 0) say(`\nFailed:\n${notes.map((note) => `  ✗ ${note}`).join('\n')}`);
const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
say(`\n${seconds(allStarted)} in all`);
say(`${total('passed')} passed, ${total('failed')} failed`);
process.exit(total('failed') === 0 ? 0 : 1);
