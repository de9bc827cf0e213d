import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/prepare.mjs';
import { folder as built } from '../../scripts/relayerPackage/buildRelayer.ts';
import { exampleMarket } from '../../src/relayer/market.ts';
import { START_TIMEOUT_MS } from '../relayer/support/databases.ts';
import { type FakeL1Node, startFakeL1Node } from '../relayer/support/fakeL1Node.ts';
import { DEPOSITOR, SETTLEMENT_KEY, someEvent } from '../relayer/support/operated.ts';
import { createDatabase } from '../relayer/support/postgresCluster.ts';
import { exited } from '../relayer/support/relayerProcess.ts';
import { callerOf, TestAccount } from '../relayer/support/testAccount.ts';

const MOST_BYTES = 2_200_000;
const deploy = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8');

/** The artefact alone in a folder: no package.json, no node_modules, no sources above it. */
let folder: string;
/** Leads to the folder of the version, as `/opt/countersign` does. */
let link: string;
let database: Awaited<ReturnType<typeof createDatabase>>;
let node: FakeL1Node;
const running: ChildProcess[] = [];

const build = () => execFileSync('npm', ['run', '--silent', 'build:relayer'], { cwd: root, stdio: 'pipe' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-release-'));
  build();
  cpSync(built, folder, { recursive: true });
  link = `${folder}.link`;
  symlinkSync(folder, link);
  [database, node] = await Promise.all([createDatabase({ migrated: false }), startFakeL1Node()]);
  writeFileSync(join(folder, 'market.json'), JSON.stringify(exampleMarket));
}, START_TIMEOUT_MS);
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(running.map(exited));
  await database?.drop();
  node?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
  if (link) rmSync(link, { force: true });
});

/** Settings as a file for systemd and containers carries them. */
function example(): Record<string, string> {
  const lines = deploy('relayer.env.example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const settings = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return {
    ...settings,
    DATABASE_URL: database.url,
    RELAYER_MARKET: join(folder, 'market.json'),
    RELAYER_L1_URL: node.url,
    RELAYER_CHAIN_ID: '31337',
    RELAYER_OPERATIONS_PORT: '0',
    RELAYER_OPERATOR_KEYS: `settlement:${SETTLEMENT_KEY}`,
    RELAYER_API_KEY_SECRET: SETTLEMENT_KEY,
    RELAYER_PORT: '0',
  };
}

async function startArtefact(
  environment: Record<string, string>,
  flags: readonly string[] = [],
  under: readonly string[] = [],
) {
  const [command = process.execPath, ...rest] = [...under, process.execPath];
  const child = spawn(command, [...rest, join(link, 'relayer.mjs'), ...flags], {
    cwd: folder,
    // Nothing of this machine's settings: what systemd and containers give is as little.
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const lines: Record<string, unknown>[] = [];
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const started = await new Promise<Record<string, unknown>>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (line.msg === 'listening') resolve(line);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${JSON.stringify(lines)} ${errors}`)));
  });
  return {
    child,
    lines,
    url: started.listening as string,
    operations: `http://127.0.0.1:${started.operationsPort}`,
  };
}

describe('the release of the relayer', () => {
  it('imports nothing but itself and Node, and stays small', () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
    expect(scripts).toEqual(
      expect.arrayContaining(['relayer.mjs', 'operator.mjs', 'signatureThreadStart.mjs', 'stateThreadStart.mjs']),
    );
    const specifiers = scripts.flatMap((name) =>
      [
        ...readFileSync(join(folder, name), 'utf8').matchAll(/^\s*(?:import|export)\b[^'"`;]*?['"]([^'"]+)['"];?$/gm),
      ].map(([, specifier = '']) => specifier),
    );
    expect(specifiers.length).toBeGreaterThan(10);
    const foreign = specifiers.filter(
      (specifier) => !specifier.startsWith('./') && !builtinModules.includes(specifier.replace(/^node:/, '')),
    );
    expect(foreign).toEqual([]);
    expect(scripts.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(MOST_BYTES);
  });

  it('carries the licence of everything that is inside', () => {
    const text = readFileSync(join(folder, 'THIRD-PARTY.txt'), 'utf8');
    for (const name of ['hono', 'pg', 'pino', 'viem', 'zod']) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(existsSync(join(folder, 'LICENSE'))).toBe(true);
  });

  it('is the same bytes from the same tree', () => {
    const contents = () => readdirSync(built).map((name) => [name, readFileSync(join(built, name), 'base64')]);
    const first = contents();
    build();
    expect(contents()).toEqual(first);
  });

  it('starts from an empty folder with the settings of the example, takes a report, and ends with SIGTERM', async () => {
    // Secrets as files, as systemd's credentials and containers hand them over.
    const { DATABASE_URL = '', RELAYER_OPERATOR_KEYS = '', ...open } = example();
    const secret = (name: string, text: string) => {
      writeFileSync(join(folder, name), `${text}\n`);
      return join(folder, name);
    };
    const relayer = await startArtefact({
      ...open,
      DATABASE_URL_FILE: secret('database', DATABASE_URL),
      RELAYER_OPERATOR_KEYS_FILE: secret('keys', RELAYER_OPERATOR_KEYS),
      RELAYER_DRAIN_MS: '1',
    });
    expect((await fetch(`${relayer.operations}/ready`)).status).toBe(200);
    const told = { owner: DEPOSITOR, symbol: 'LRC', amount: '5', from: DEPOSITOR, ...someEvent() };
    const flags = Object.entries(told).flatMap(([field, value]) => [
      `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      String(value),
    ]);
    const output = execFileSync(process.execPath, [join(folder, 'operator.mjs'), 'deposit-confirmed', ...flags], {
      cwd: folder,
      env: { OPERATOR_KEY: SETTLEMENT_KEY, OPERATOR_URL: relayer.operations },
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toMatchObject({ repeated: false });
    relayer.child.kill('SIGTERM');
    await exited(relayer.child);
    expect(relayer.child.exitCode).toBe(0);
    expect(relayer.lines.at(-1)).toMatchObject({ msg: 'stopping', signal: 'SIGTERM' });
  });

  it('says what is missing when no database is given', () => {
    const run = () =>
      execFileSync(process.execPath, [join(folder, 'relayer.mjs'), '--dev'], { env: {}, stdio: 'pipe' });
    expect(run).toThrow('the release has no embedded database: set DATABASE_URL');
  });

  it('checks signatures in threads under load, which it loads from its own version after the link was switched', async () => {
    const other = await createDatabase();
    try {
      const relayer = await startArtefact({ DATABASE_URL: other.url }, [
        ...['--dev', '--dev-on-postgres', '--port', '0', '--requests-per-second', '100000'],
        ...['--signature-threads', '1', '--engine-interval-ms', '20', '--log-level', 'error'],
      ]);
      rmSync(link);
      const { body: info } = await callerOf(relayer.url)('GET', '/api/v3/exchange/info');
      const place = { url: relayer.url, exchange: info.exchangeAddress, chainId: info.chainId };
      const account = await (await new TestAccount(place).faucet()).activate();
      const threads = async () =>
        (await (await fetch(`${relayer.url}/metrics`)).text()).match(/signature_threads (\d)/);
      // API keys are looked up in groups, so the checks behind them come in groups too.
      const query = { accountId: account.accountId, orderHash: someEvent().txHash };
      const { headers } = account.signatureOf('DELETE', '/api/v3/order', { query, body: undefined });
      for (let round = 0; round < 50 && (await threads())?.[1] !== '1'; round++)
        await Promise.all(
          Array.from({ length: 200 }, () =>
            account.call('DELETE', '/api/v3/order', { query, headers: { ...account.keyHeader, ...headers } }),
          ),
        );
      expect((await threads())?.[1]).toBe('1');
      // A busy machine may not reach the database in time; of the threads nothing may be said.
      const isOfDatabase = ({ msg, err }: Record<string, unknown>) =>
        msg === 'requests are refused' ||
        (err as Error | undefined)?.message.startsWith('the database gives no answer');
      const errors = relayer.lines.filter((line) => Number(line.level) >= 50 && !isOfDatabase(line));
      expect(errors).toEqual([]);
      relayer.child.kill('SIGKILL');
      await exited(relayer.child);
    } finally {
      if (!existsSync(link)) symlinkSync(folder, link);
      await other.drop();
    }
  });
});

/** Runs a command whose system calls the kernel answers as systemd has it answer them. */
const UNDER_A_FILTER = `
import ctypes, os, sys
library = ctypes.CDLL('libseccomp.so.2')
library.seccomp_init.restype = ctypes.c_void_p
refusal, allowed, command = int(sys.argv[1], 0), sys.argv[2].split(','), sys.argv[3:]
filter = ctypes.c_void_p(library.seccomp_init(refusal))
for number in map(library.seccomp_syscall_resolve_name, map(str.encode, allowed)):
    if number != -1: library.seccomp_rule_add(filter, 0x7fff0000, number, 0)
if library.seccomp_load(filter) != 0: sys.exit('the filter was not taken')
os.execv(command[0], command)
`;
const KILL = '0x80000000';
const REFUSE_WITH_EPERM = '0x00050001';

function canFilter(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', "import ctypes; ctypes.CDLL('libseccomp.so.2')"], { stdio: 'pipe' });
    return existsSync('/usr/bin/systemd-analyze');
  } catch {
    return false;
  }
}

/** The names of the system calls in a set of systemd, such as `@system-service`. */
function callsOf(set: string): string[] {
  return execFileSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' })
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((name) => (name.startsWith('@') ? callsOf(name) : name));
}

describe('the files to run it', () => {
  it('name files of the release, and a user without rights', () => {
    const unit = deploy('countersign-relayer.service');
    const container = deploy('Containerfile');
    for (const [, name = ''] of `${unit}${container}`.matchAll(/\/opt\/countersign\/([\w.]+)/g))
      expect(existsSync(join(folder, name)), name).toBe(true);
    expect(container).toContain('COPY dist/relayer /opt/countersign\nUSER node\n');
    expect(unit).toContain('\nDynamicUser=yes\n');
  });

  it('have a health check of the container that succeeds while it runs, and fails when not', async () => {
    const [, json = ''] = /HEALTHCHECK .* CMD (\[.*\])/.exec(deploy('Containerfile')) ?? [];
    const [, ...args] = JSON.parse(json) as string[];
    const check = (port: string) =>
      execFileSync(
        process.execPath,
        args.map((text) => text.replace('4511', port)),
        { stdio: 'pipe' },
      );
    const relayer = await startArtefact(example());
    check(new URL(relayer.operations).port);
    relayer.child.kill('SIGKILL');
    await exited(relayer.child);
    expect(() => check(new URL(relayer.operations).port)).toThrow();
  });

  it('are a unit under whose filter of system calls it starts', async ({ skip }) => {
    skip(!canFilter(), 'needs systemd-analyze, python3 and libseccomp');
    const { SystemCallFilter = '', SystemCallErrorNumber } = Object.fromEntries(
      deploy('countersign-relayer.service')
        .split('\n')
        .map((line) => line.split('=')),
    );
    const allowed = SystemCallFilter.split(' ').flatMap((name: string) =>
      name.startsWith('@') ? callsOf(name) : name,
    );
    const start = (refusal: string) =>
      startArtefact(example(), [], ['/usr/bin/python3', '-c', UNDER_A_FILTER, refusal, allowed.join(',')]);
    // Neither a call of this Node is refused, nor is one of a later Node its end.
    await start(KILL);
    expect(SystemCallErrorNumber).toBe('EPERM');
    const { operations } = await start(REFUSE_WITH_EPERM);
    expect((await fetch(`${operations}/ready`)).status).toBe(200);
  });

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('are a unit that systemd takes and finds well closed', () => {
    const unit = join(folder, 'countersign-relayer.service');
    const text = deploy('countersign-relayer.service').replace(
      'ExecStart=/usr/bin/node',
      `ExecStart=${process.execPath}`,
    );
    // The service's own user cannot read a file of root's; systemd hands it over.
    const withFile = text.replace(/^#(?=\w+=)/gm, '');
    expect(withFile).toMatch(/^LoadCredential=(\w+):.*\nEnvironment=DATABASE_URL_FILE=%d\/\1$/m);
    for (const variant of [text, withFile]) {
      writeFileSync(unit, variant);
      execFileSync('systemd-analyze', ['verify', unit], { stdio: 'pipe' });
      execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit], {
        stdio: 'pipe',
      });
    }
  });
});
