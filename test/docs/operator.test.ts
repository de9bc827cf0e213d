import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { freePair, root } from '../../scripts/prepare.mjs';
import { readConfig } from '../../src/relayer/config.ts';
import { migrate, migrations } from '../../src/relayer/db/migrate.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { applySettings } from '../../src/relayer/engine/deployment.ts';
import { startAnvil } from '../relayer/support/anvil.ts';
import { admin, createDatabase } from '../relayer/support/postgresCluster.ts';
import { startRelayer } from '../relayer/support/startRelayer.ts';
import { type Block, blocksOf } from './blocks.ts';

/** The commands of `docs/operator.md`, in their order, with another port, folder and database. */
const blocks = blocksOf('docs/operator.md').filter(({ mark }) => mark.startsWith('runs'));
const PATIENCE_MS = 240_000;

let folder: string;
let port: number;
let operationsPort: number;
const operatorKey = randomBytes(32).toString('hex');
let anvil: Awaited<ReturnType<typeof startAnvil>>;
let database: Awaited<ReturnType<typeof createDatabase>>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-operator-'));
  [database, anvil] = await Promise.all([createDatabase({ migrated: false }), startAnvil(1)]);
  port = await freePair();
  operationsPort = port + 1;
});

afterEach(() => Promise.all(running.splice(0).map(ended)));
afterAll(async () => {
  anvil?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

function start({ text }: Block, { url }: { url: string } = database): ChildProcess {
  const { username, hostname, port: databasePort, pathname } = new URL(url);
  const command = text
    .replaceAll('4510', String(port))
    .replaceAll('4511', String(operationsPort))
    .replaceAll('replace-by-a-random-key-of-your-own', operatorKey)
    .replaceAll('postgres://countersign@127.0.0.1/countersign', url)
    .replaceAll('countersign_restored', `${pathname.slice(1)}_restored`)
    .replaceAll('--owner=countersign', `--owner=${username}`)
    .replaceAll('http://127.0.0.1:8545', anvil.url)
    .replaceAll('market.json', join(folder, 'market.json'))
    .replaceAll('.relayer-data', join(folder, 'data'))
    .replaceAll('countersign.dump', join(folder, 'countersign.dump'));
  // A group of its own, so that npm, tsx and the relayer end together.
  return spawn('sh', ['-ec', command], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PGHOST: hostname, PGPORT: databasePort, PGUSER: username },
      ...{ RELAYER_PORT: String(port), RELAYER_DRAIN_MS: '1' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('close', resolve));
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await end;
}

/** @returns what it wrote, once it has ended, or once the output has `until` when that is given. */
function outputOf(child: ChildProcess, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`no end within ${PATIENCE_MS} ms:\n${output}`)), PATIENCE_MS);
    const done = (settle: () => void) => {
      clearTimeout(timer);
      settle();
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
        if (until !== undefined && output.includes(until)) done(() => resolve(output));
      });
    child.once('close', (code) =>
      done(() => (code === 0 && until === undefined ? resolve(output) : reject(new Error(`code ${code}:\n${output}`)))),
    );
  });
}

const at = (line: number) => `docs/operator.md, line ${line}`;
const [help, develop, ask, market, operate, report, backup, restore] = blocks;

/** The database that the guide restores into, until the test is over. */
function restoredFrom({ url }: { url: string }): { url: string } {
  const { pathname } = new URL(url);
  onTestFinished(() => admin(url, `DROP DATABASE IF EXISTS ${pathname.slice(1)}_restored WITH (FORCE)`));
  return { url: `${url}_restored` };
}

test('the marked commands are those that this file knows', () => {
  expect(blocks.map(({ mark }) => mark)).toEqual([
    'runs',
    'runs until listening',
    'runs',
    'runs',
    'runs until listening',
    'runs',
    'runs',
    'runs',
  ]);
});

test('the help lists every setting that the guide names, and the guide every one of the help', async () => {
  const text = await outputOf(start(help as Block));
  const [guide = ''] = readFileSync(join(root, 'docs/operator.md'), 'utf8').split('\n## Speed');
  const named = [
    ...[...guide.matchAll(/npm run relayer -- (.*)$/gm)].flatMap(
      ([, flags = '']) => flags.match(/--[a-z0-9-]+/g) ?? [],
    ),
    ...[...guide.matchAll(/`(--[a-z0-9-]+)/g)].map(([, flag = '']) => flag),
  ];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((flag) => !text.includes(`  ${flag} `))).toEqual([]);
  const settings = [...text.matchAll(/^ {2}(--[a-z0-9-]+)? +((?:RELAYER|DATABASE)_\w+)/gm)];
  expect(settings.length).toBeGreaterThan(50);
  const isNamed = (name = '') => new RegExp(`${name}(?![\\w-])`).test(guide);
  const missing = settings.filter(([, flag, variable]) => !isNamed(variable) && !(flag && isNamed(flag)));
  expect(missing.map(([line]) => line.trim())).toEqual([]);
});

test('a relayer to develop against answers health, faucet and metrics, and serves the reference page', async () => {
  const relayer = start(develop as Block);
  running.push(relayer);
  await outputOf(relayer, `"listening":"http://127.0.0.1:${port}"`);
  const answers = await outputOf(start(ask as Block));
  expect(answers, at((ask as Block).line)).toContain('{"status":"ok"}');
  expect(answers).toMatch(/"accountId":\d+/);
  for (const metric of ['open_orders', 'waiting_requests', 'requests_in_progress'])
    expect(answers).toContain(`relayer_${metric} `);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<html');
});

test('a relayer on PostgreSQL starts, without /dev, takes a deposit that the operator reports, and its database is dumped and restored', async () => {
  await outputOf(start(market as Block));
  const relayer = start(operate as Block);
  running.push(relayer);
  const log = await outputOf(relayer, '"listening"');
  expect(log).toContain('https://relayer.example');
  expect(log).not.toContain('The embedded database');
  const url = `http://127.0.0.1:${port}`;
  expect((await fetch(`${url}/dev/faucet`, { method: 'POST', body: '{}' })).status).toBe(404);
  // The fees of the same answer move with each quarter of an hour.
  const exchange = async () => {
    const answer = (await (await fetch(`${url}/api/v3/exchange/info`)).json()) as Record<string, unknown>;
    return ['chainId', 'exchangeAddress', 'depositAddress'].map((name) => answer[name]);
  };
  const before = await exchange();
  const reported = await outputOf(start(report as Block));
  expect(reported, at((report as Block).line)).toMatch(/"repeated": false/);
  expect(reported).toMatch(/"operator": "settlement"/);
  await ended(relayer);
  await outputOf(start(backup as Block));
  const restored = restoredFrom(database);
  await outputOf(start(restore as Block));
  const again = start(operate as Block, restored);
  running.push(again);
  await outputOf(again, '"listening"');
  expect(before).not.toContain(undefined);
  expect(await exchange()).toEqual(before);
});

test('a dump of an older version is restored beside a database that was migrated since', async () => {
  const own = await createDatabase({ migrated: false });
  onTestFinished(own.drop);
  const at = async (url: string, list?: typeof migrations) => {
    const db = await openPostgres(url, 2);
    await migrate(db, list).finally(() => db.close());
  };
  await at(own.url, migrations.slice(0, -2));
  await outputOf(start(backup as Block, own));
  await at(own.url);
  const restored = restoredFrom(own);
  await outputOf(start(restore as Block, own));
  await at(restored.url);
});

test(
  'after a restore, deleted keys and a new secret end every API key that was reset since',
  async () => {
    const [statement = ''] = /DELETE FROM \w+/.exec(readFileSync(join(root, 'docs/operator.md'), 'utf8')) ?? [];
    const own = await createDatabase();
    onTestFinished(own.drop);
    const db = await openPostgres(own.url, 2);
    onTestFinished(() => db.close());
    const first = await startRelayer({ databaseUrl: own.url, apiKeySecret: 'a'.repeat(40) });
    const alice = await first.account();
    const keyFrom = async (place: typeof alice, method: 'GET' | 'POST') => {
      const asked = { accountId: alice.accountId };
      const { body } = await place.signed(
        method,
        '/api/v3/apiKey',
        method === 'GET' ? { query: asked } : { body: asked },
      );
      return body.apiKey as string;
    };
    const leaked = alice.apiKey;
    const [kept] = await db.query<{ generation: number; key_hash: string }>(
      'SELECT generation, key_hash FROM api_keys',
    );
    const revoked = await keyFrom(alice, 'POST');
    await first.close();
    await db.query('UPDATE api_keys SET generation = $1, key_hash = $2', [kept?.generation ?? 0, kept?.key_hash ?? '']);

    // Restored: the leaked key counts again, and the next reset gives the one that may be known.
    const restored = await startRelayer({ databaseUrl: own.url, apiKeySecret: 'a'.repeat(40) });
    expect(await keyFrom(alice.at(restored.place), 'GET')).toBe(leaked);
    expect(await keyFrom(alice.at(restored.place), 'POST')).toBe(revoked);
    await restored.close();

    await db.query(statement);
    await applySettings(db, readConfig({ dev: true, apiKeySecret: 'b'.repeat(40) }), 0);
    const next = await startRelayer({ databaseUrl: own.url, apiKeySecret: 'b'.repeat(40) });
    onTestFinished(() => next.close());
    const read = async (apiKey: string) => {
      const query = { accountId: alice.accountId };
      return (await next.call('GET', '/api/v3/user/balances', { query, headers: { 'x-api-key': apiKey } })).status;
    };
    expect([await read(leaked), await read(revoked)]).toEqual([400, 400]);
    const now = await keyFrom(alice.at(next.place), 'GET');
    expect([leaked, revoked]).not.toContain(now);
    expect(await read(now)).toBe(200);
  },
  PATIENCE_MS,
);
