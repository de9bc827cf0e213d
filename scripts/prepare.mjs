/**
 * What `npm start` and `npm test` need before anything else can run: Node, the npm modules of the
 * lockfile and a Chromium. Only Node's own modules are used here, because this runs in a fresh
 * clone.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Major version below which the extension does not load. */
const oldestChromium = Number(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')).minimum_chrome_version);

/**
 * A condition that the user can repair. The message says what is wrong and what to do; it is shown
 * without a stack.
 */
export class Stop extends Error {
  name = 'Stop';
}

/** Child processes that are still running, with what they have said so far. */
const children = new Map();
/** For output that is still in the pipe when a program has ended. */
const REST_OF_OUTPUT_MS = 5_000;

/**
 * Runs a program in the repository.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, show?: boolean }} [options] `show: true`
 *   passes the output through; otherwise it is collected.
 * @returns {Promise<{ code: number, output: string }>} `code` is 127 when the program could not be
 *   started.
 */
export function run(command, args, { env = {}, show = true } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, [...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    });
    let output = '';
    children.set(child, { name: [command, ...args].join(' '), output: () => output });
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    for (const stream of streams) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => {
      children.delete(child);
      resolve({ code: 127, output: `${output}${error.message}\n` });
    });
    // A program that it left running may keep the pipes open.
    child.on('exit', () => {
      setTimeout(() => {
        for (const stream of streams) stream.destroy();
      }, REST_OF_OUTPUT_MS).unref();
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      resolve({ code: code ?? (signal === null ? 1 : 128), output });
    });
  });
}

/** @returns {readonly string[]} each program that still runs, with the last lines that it kept. */
export const stillRunning = () =>
  [...children.values()].map(({ name, output }) => [name, ...output().trimEnd().split('\n').slice(-20)].join('\n  '));

/** Asks every child that is still running to end. */
export function endChildren() {
  for (const child of children.keys()) child.kill('SIGTERM');
}

/**
 * A port that is free together with the next one, below those that the system gives to
 * outgoing connections, which could take it before the caller does.
 * @returns {Promise<number>}
 */
export async function freePair() {
  const isFree = (port) =>
    new Promise((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

/** @returns {string} path of a package's command line program below `node_modules/.bin`. */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/**
 * Reads from `engines` of package.json only what stands there: `^A.B` or `>=A`, with `||` between.
 * @throws {Stop} package.json does not accept this version of Node.
 */
export function checkNode(version = process.versions.node) {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node;
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  const accepted = wanted.split(' || ').some((range) => {
    const [major, minor = 0] = range
      .replace(/[^0-9.]/g, '')
      .split('.')
      .map(Number);
    return ownMajor === major ? ownMinor >= minor : ownMajor > major && range.startsWith('>=');
  });
  if (accepted) return;
  throw new Stop(
    `Node ${version} does not run Countersign, which needs ${wanted.replaceAll('||', 'or')}. Install one from https://nodejs.org/en/download and start again.`,
  );
}

/**
 * Tells if node_modules holds what the lockfile names. npm writes `node_modules/.package-lock.json`
 * as the last act of an install, so an interrupted one does not count. Optional packages (other
 * platforms) may be absent.
 */
export function modulesAreCurrent(folder = root) {
  const read = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8')).packages;
  try {
    const wanted = read('package-lock.json');
    const present = read('node_modules/.package-lock.json');
    const same = (path) =>
      present[path]?.version === wanted[path]?.version && present[path]?.integrity === wanted[path]?.integrity;
    return (
      Object.entries(wanted).every(
        ([path, entry]) => path === '' || same(path) || (entry.optional && !present[path]),
      ) && Object.keys(present).every((path) => path in wanted)
    );
  } catch {
    return false;
  }
}

/**
 * Runs `npm ci` unless node_modules already agrees with the lockfile.
 * @param {(line: string) => void} say
 * @throws {Stop} npm failed.
 */
export async function installModules(say) {
  if (modulesAreCurrent()) return;
  say('Installing the npm modules of the lockfile (npm ci) …');
  const { code } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code === 127) throw new Stop('npm was not found. It comes with Node: https://nodejs.org/en/download');
  if (code !== 0)
    throw new Stop(
      `npm ci ended with code ${code}; its message stands above. Is the npm registry reachable from here?`,
    );
}

/** @returns {string | null} */
function onPath(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (folder !== '') return path;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/**
 * @returns {number | null} a browser's major version, or null when the program does not say one
 *   within 20 s.
 */
function browserVersion(path) {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  const found = status === 0 ? /(\d+)\.\d+/.exec(stdout) : null;
  return found ? Number(found[1]) : null;
}

/** Chromium that `npx playwright-core install chromium` has put into the user's cache. */
async function playwrightChromium() {
  try {
    const { chromium } = await import(pathToFileURL(join(root, 'node_modules/playwright-core/index.mjs')).href);
    const path = chromium.executablePath();
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

/**
 * Finds a Chromium that loads unpacked extensions from its command line. Google Chrome has refused
 * that since version 137, so that it comes last and only below that version.
 * @returns {Promise<{ path: string | null, unfit: string[] }>} `unfit`: what was found and why it
 *   does not serve.
 */
async function lookForChromium() {
  const unfit = [];
  const candidates = [
    () => onPath('chromium'),
    () => onPath('chromium-browser'),
    playwrightChromium,
    () => onPath('google-chrome'),
    () => onPath('google-chrome-stable'),
  ];
  for (const candidate of candidates) {
    const path = await candidate();
    if (!path) continue;
    const version = browserVersion(path);
    if (version === null) unfit.push(`${path} does not start`);
    else if (version < oldestChromium) unfit.push(`${path} is version ${version}, older than ${oldestChromium}`);
    else if (path.includes('google-chrome') && version >= 137)
      unfit.push(`${path} is Google Chrome ${version}, which no longer loads extensions from its command line`);
    else return { path, unfit };
  }
  return { path: null, unfit };
}

/** @returns {string[] | null} what to put before `apt-get`, or null when we may not install. */
function aptPrefix() {
  if (!onPath('apt-get')) return null;
  if (process.getuid?.() === 0) return [];
  if (onPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore', timeout: 5_000 }).status === 0)
    return ['sudo', '-n'];
  return null;
}

/**
 * Installs the first of these packages that apt has.
 * @param {string[]} prefix from `aptPrefix`.
 * @param {string[]} packages
 */
async function aptInstall(prefix, packages) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) =>
    run(prefix[0] ?? 'apt-get', [...prefix.slice(1), ...(prefix.length > 0 ? ['apt-get'] : []), ...args], { env });
  // A stale package list may still do when the update fails (a third-party source that is down).
  await apt('update', '-q');
  for (const name of packages) {
    if ((await apt('install', '-y', '-q', name)).code === 0) break;
  }
}

/**
 * Looks for something, and once more after it was installed with apt where that is allowed.
 * @template Found
 * @param {(line: string) => void} say
 * @param {() => Found | undefined} look
 * @param {string} missing what is said when it is not there.
 * @param {string[]} packages the first of them that apt has is installed.
 * @returns {Promise<Found | undefined>}
 */
async function lookOrInstall(say, look, missing, packages) {
  const found = look();
  const prefix = found ? null : aptPrefix();
  if (prefix === null) return found;
  say(`${missing}; installing it with apt-get …`);
  await aptInstall(prefix, packages);
  return look();
}

/**
 * Finds Chromium (`CHROMIUM`, then the usual names) or installs it with apt where that is allowed.
 * @param {(line: string) => void} say
 * @returns {Promise<string>} absolute path of the program.
 * @throws {Stop} none was found and none could be installed; the message has the command.
 */
export async function findOrInstallChromium(say) {
  const named = process.env.CHROMIUM;
  if (named) {
    const version = browserVersion(named);
    if (version !== null && version >= oldestChromium) return named;
    throw new Stop(
      `CHROMIUM is set to ${named}, which ${version === null ? 'does not start' : `is version ${version}, older than ${oldestChromium}`}. Set it to a Chromium, or unset it.`,
    );
  }
  const found = await lookForChromium();
  if (found.path) return found.path;
  const because = found.unfit.length > 0 ? ` (${found.unfit.join('; ')})` : '';
  const prefix = aptPrefix();
  if (prefix === null) {
    const command = onPath('apt-get')
      ? 'sudo apt-get update && sudo apt-get install -y chromium'
      : 'npx playwright-core install chromium';
    throw new Stop(
      `No Chromium was found${because}. Install one with\n\n    ${command}\n\nor name the program in the variable CHROMIUM, and start again.`,
    );
  }
  say(`No Chromium was found${because}; installing it with apt-get. This takes a minute or two …`);
  // Ubuntu calls it chromium-browser.
  await aptInstall(prefix, ['chromium', 'chromium-browser']);
  const installed = await lookForChromium();
  if (installed.path) return installed.path;
  throw new Stop(
    `apt-get could not install Chromium; its message stands above. Install one yourself, for example with\n\n    npx playwright-core install --with-deps chromium\n\nor name the program in the variable CHROMIUM, and start again.`,
  );
}

/**
 * Major version of the oldest Firefox that loads the extension; `scripts/build/firefoxManifest.ts`
 * says why.
 */
const oldestFirefox = 140;

/**
 * Finds Firefox (`FIREFOX`, then the usual names) or installs it with apt where that is allowed.
 * Any Firefox takes the unsigned extension, because the tests load it for one session only.
 * @param {(line: string) => void} say
 * @returns {Promise<string>} absolute path of the program.
 * @throws {Stop} none was found and none could be installed; the message has the command.
 */
export async function findOrInstallFirefox(say) {
  const serves = (path) => (path ? (browserVersion(path) ?? 0) >= oldestFirefox : false);
  const named = process.env.FIREFOX;
  if (named) {
    if (serves(named)) return named;
    throw new Stop(
      `FIREFOX is set to ${named}, which does not start or is older than ${oldestFirefox}. Set it to a Firefox, or unset it.`,
    );
  }
  const look = () => ['firefox-esr', 'firefox'].map(onPath).find(serves);
  const missing = `No Firefox from version ${oldestFirefox} on was found`;
  const found = await lookOrInstall(say, look, missing, ['firefox-esr', 'firefox']);
  if (found) return found;
  throw new Stop(
    `${missing}. Install one (on Debian: sudo apt-get install firefox-esr), or name the program in the variable FIREFOX.`,
  );
}

/**
 * @returns {string | undefined} folder of the newest installed PostgreSQL's programs, where Debian
 *   puts them.
 */
export function lookForPostgres() {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return undefined;
  return readdirSync(versions)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * Finds PostgreSQL or installs it with apt where that is allowed.
 * @param {(line: string) => void} say
 * @returns {Promise<string>} folder of its programs.
 * @throws {Stop} none was found and none could be installed; the message has the command.
 */
export async function findOrInstallPostgres(say) {
  const found = await lookOrInstall(say, lookForPostgres, 'No PostgreSQL was found', ['postgresql']);
  if (found) return found;
  throw new Stop('No PostgreSQL was found. Install one (on Debian: sudo apt-get install -y postgresql).');
}

/**
 * Finds Patroni and etcd, which lead PostgreSQL servers, or installs them with apt where that is
 * allowed.
 * @param {(line: string) => void} say
 * @throws {Stop} one was not found and could not be installed; the message has the command.
 */
export async function findOrInstallPatroni(say) {
  for (const [name, packageName] of Object.entries({ patroni: 'patroni', etcd: 'etcd-server' }))
    if (!(await lookOrInstall(say, () => onPath(name), `No ${name} was found`, [packageName])))
      throw new Stop(
        'No Patroni or no etcd was found. Install them (on Debian: sudo apt-get install patroni etcd-server).',
      );
}

/**
 * The vite builds: the extension for both browsers (`dist/chromium`, `dist/firefox`) and the demo
 * dApp (`dist/demo`).
 */
export const builds = [
  { name: 'extension for Chromium', args: ['build'] },
  { name: 'extension for Firefox', args: ['build', '--mode', 'firefox'] },
  { name: 'demo page', args: ['build', '--config', 'src/demo/page/vite.config.ts'] },
];

/**
 * Builds the extension and the demo page, side by side. With `COUNTERSIGN_BUILT=1`, which
 * `npm test` sets after its own build, what is in `dist/` stays.
 * @param {{ show?: boolean }} [options] `show: true` passes vite's output (with the sizes) through.
 * @throws {Stop} a build failed; the message carries what vite said.
 */
export async function buildAll({ show = false } = {}) {
  if (process.env.COUNTERSIGN_BUILT === '1') return;
  const made = builds.map(async ({ name, args }) => {
    // The configuration leaves the extension plugin out when it is loaded by the test runner; a
    // development build has the paths of this machine in it.
    const { code, output } = await run(bin('vite'), args, { show, env: { VITEST: undefined, NODE_ENV: undefined } });
    return { name, args, code, output };
  });
  const failed = (await Promise.all(made)).find(({ code }) => code !== 0);
  if (failed)
    throw new Stop(
      `The build of the ${failed.name} failed (vite ${failed.args.join(' ')}, code ${failed.code}). Fix the error that vite names above, and start again.${failed.output ? `\n\n${failed.output}` : ''}`,
    );
}
