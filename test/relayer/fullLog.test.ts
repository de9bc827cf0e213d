import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { builtRelayer } from './support/builtRelayer.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { until } from './support/operated.ts';
import { exited } from './support/relayerProcess.ts';

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

it.each([
  ['SIGTERM', 0],
  // Thrown by what `--import` loads.
  ['SIGUSR2', 1],
] as const)(
  'a relayer whose log has no room serves until %s, and ends with code %d',
  async (signal, code) => {
    const [main, port] = [await builtRelayer(), await freePort()];
    const thrower = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("uncaught")})';
    const flags = ['--dev', '--log-level', 'info', '--drain-ms', '1', '--port', String(port)];
    const child = spawn(process.execPath, ['--import', thrower, main, ...flags], {
      timeout: 60_000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
    });
    try {
      const get = () => fetch(`http://127.0.0.1:${port}/api/v3/exchange/info`).catch(() => undefined);
      await until('it listens', async () => (await get())?.ok === true);
      for (let count = 0; count < 3; count++) expect((await get())?.status).toBe(200);
      child.kill(signal);
      await exited(child);
      expect(child.exitCode).toBe(code);
    } finally {
      child.kill('SIGKILL');
    }
  },
  START_TIMEOUT_MS,
);

it(
  'lines that wait for room are bounded, and written once there is room',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-log-'));
    const path = join(folder, 'log');
    const script = `
    import { execFileSync } from 'node:child_process';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { readConfig } from './src/relayer/config.ts';
    import { createLog } from './src/relayer/createRelayer.ts';
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
    log.info('there is room');
    await sleep(500);
    log.info('last');
  `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      ...{ cwd: root, timeout: 60_000, killSignal: 'SIGKILL', stdio: ['ignore', openSync(path, 'a'), 'inherit'] },
    });
    await exited(child);
    const lines = readFileSync(path, 'utf8').trim().split('\n');
    rmSync(folder, { recursive: true });
    expect(child.exitCode).toBe(0);
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect([messages.at(0), messages.at(-1)]).toEqual(['first', 'last']);
    expect(messages.filter((msg) => msg.startsWith('x'))).toHaveLength(15);
  },
  START_TIMEOUT_MS,
);
