import { execFileSync, spawn } from 'node:child_process';
import { constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { builtRelayer } from './support/builtRelayer.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { until } from './support/operated.ts';
import { freePort } from './support/postgresCluster.ts';
import { exited } from './support/relayerProcess.ts';

/** Code that a relayer loads first: SIGUSR2 throws. */
const thrower = 'process.on("SIGUSR2",()=>{throw new Error("uncaught")});';

/** Starts a relayer whose log goes to `log`, a file descriptor. */
async function startRelayer(log: number, code = thrower) {
  const [main, port] = [await builtRelayer(), await freePort()];
  const flags = ['--dev', '--log-level', 'info', '--drain-ms', '1', '--port', String(port)];
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${code}`, main, ...flags], {
    stdio: ['ignore', log, 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const get = () => fetch(`http://127.0.0.1:${port}/api/v3/exchange/info`).catch(() => undefined);
  await until('it listens', async () => (await get())?.ok === true);
  return { child, get };
}

/** Runs a script to its end with its log in `log`, a file descriptor. */
async function run(script: string, log: number) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', log, 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await exited(child);
  return child;
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A full pipe that nobody reads. */
function fullPipe(): number {
  const path = join(folder, 'pipe');
  rmSync(path, { force: true });
  execFileSync('mkfifo', [path]);
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  expect(() => {
    for (;;) writeSync(pipe, 'x');
  }).toThrow('EAGAIN');
  return pipe;
}

const fullDisk = () => openSync('/dev/full', 'w');

it.each([
  ['has no room', 'SIGTERM', 0, fullDisk],
  ['has no room', 'SIGUSR2', 1, fullDisk],
  ['is read by nobody', 'SIGTERM', 0, fullPipe],
  ['is read by nobody', 'SIGUSR2', 1, fullPipe],
] as const)(
  'a relayer whose log %s serves until %s, and ends with code %d',
  async (_, signal, code, openLog) => {
    const { child, get } = await startRelayer(openLog());
    for (let count = 0; count < 3; count++) expect((await get())?.status).toBe(200);
    child.kill(signal);
    await exited(child);
    expect(child.exitCode).toBe(code);
  },
  START_TIMEOUT_MS,
);

it(
  'what ends a relayer comes after the lines that wait',
  async () => {
    const path = join(folder, 'last');
    // The first line is written for ever: later ones wait.
    const stuck = 'import fs from "node:fs";const {write}=fs;fs.write=(...a)=>a[0]===1||write(...a);';
    const { child, get } = await startRelayer(openSync(path, 'a'), stuck + thrower);
    for (let count = 0; count < 3; count++) await get();
    child.kill('SIGUSR2');
    await exited(child);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    const levels = lines.map((line) => (JSON.parse(line) as { level: number }).level);
    expect(levels.slice(-4)).toEqual([30, 30, 30, 60]);
  },
  START_TIMEOUT_MS,
);

it.each([
  ['writes what waits', () => openSync(join(folder, 'ended'), 'a'), 4],
  ['does not wait for room', fullDisk, 0],
])(
  'a process that ends as it logs %s',
  async (_, openLog, written) => {
    const script = `
    import { readConfig } from './src/relayer/config.ts';
    import { createLog } from './src/relayer/createLog.ts';
    const log = createLog(readConfig({ dev: true, logLevel: 'info' }));
    for (let line = 0; line < 5; line++) log.info('é'.repeat(10_000));
    process.exit(3);
  `;
    const child = await run(script, openLog());
    expect(child.exitCode).toBe(3);
    if (written === 0) return;
    const lines = readFileSync(join(folder, 'ended'), 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(written);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 30 });
  },
  START_TIMEOUT_MS,
);

it(
  'lines that wait for room are bounded, and written once there is room',
  async () => {
    const path = join(folder, 'log');
    const script = `
    import { execFileSync } from 'node:child_process';
    import { fstatSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { readConfig } from './src/relayer/config.ts';
    import { createLog } from './src/relayer/createLog.ts';
    const room = (bytes) => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':']);
    const log = createLog(readConfig({ dev: true, logLevel: 'info' }));
    log.info('first');
    await sleep(100);
    room(100);
    for (let mega = 0; mega < 20; mega++) {
      log.info('x'.repeat(1_000_000));
      await sleep(1);
    }
    room('unlimited');
    // A write that fails after this is tried again with the next line.
    // What waits at the end is written by the end itself.
    for (let looks = 0; fstatSync(1).size <= 100; looks++) {
      if (looks === 2_000) process.exit(1);
      log.info('is there room?');
      await sleep(10);
    }
    log.info('last');
  `;
    const child = await run(script, openSync(path, 'a'));
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    expect(child.exitCode).toBe(0);
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect([messages.at(0), messages.at(-1)]).toEqual(['first', 'last']);
    expect(messages.filter((msg) => msg.startsWith('x'))).toHaveLength(15);
  },
  START_TIMEOUT_MS,
);
