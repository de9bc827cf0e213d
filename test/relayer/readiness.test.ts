import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { relayerErrors } from '../../src/protocol/errors.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startOperated } from './support/operated.ts';
import { createCluster, createDatabase } from './support/postgresCluster.ts';
import { exited, startProcess } from './support/relayerProcess.ts';
import { silentProxy } from './support/silentProxy.ts';
import { startRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const metric = (text: string, name: string) => new RegExp(`^relayer_${name} (\\S+)$`, 'm').exec(text)?.[1];

describe('a relayer whose database', () => {
  it(
    'is away lives, is not ready, answers 503 and still has metrics and the cause in its log',
    async () => {
      const cluster = await createCluster({ durable: false });
      onTestFinished(cluster.drop);
      const relayer = await startProcess({ DATABASE_URL: cluster.url });
      onTestFinished(relayer.kill);
      const ask = (path: string) => fetch(`${relayer.url}${path}`);
      expect((await ask('/ready')).status).toBe(200);
      await cluster.kill();
      const { port } = new URL(cluster.url);
      await expect.poll(async () => (await ask('/ready')).status).toBe(503);
      expect(await (await ask('/ready')).text()).not.toContain(port);
      expect((await ask('/live')).status).toBe(200);
      expect((await ask('/api/v3/account?accountId=1')).status).toBe(503);
      const page = await (await ask('/metrics')).text();
      expect(metric(page, 'up')).toBe('1');
      expect(metric(page, 'database_up')).toBe('0');
      const told = () => relayer.lines.filter(({ msg }) => msg === 'requests are refused');
      await expect.poll(() => ask('/api/v3/account?accountId=1').then(told)).not.toEqual([]);
      expect(String(told()[0]?.cause)).toContain('the database gives no answer');
      cluster.start();
      await expect.poll(async () => (await ask('/ready')).status).toBe(200);
    },
    START_TIMEOUT_MS,
  );

  it(
    'has locked tables has a metric that says that it answers, at each scrape',
    async () => {
      const { url, drop } = await createDatabase();
      onTestFinished(drop);
      const test = await startRelayer({ databaseUrl: url, engine: 'off' });
      onTestFinished(() => test.close());
      const locks = new pg.Client(url);
      onTestFinished(() => locks.end());
      await locks.connect();
      await locks.query('BEGIN; LOCK TABLE orders, requests, blocks, l1_deployments');
      // The counts of one go on while the next one asks.
      for (let scrape = 0; scrape < 3; scrape++) expect(await test.metric('database_up')).toBe(1);
    },
    START_TIMEOUT_MS,
  );

  it(
    'gives no answer has a metric that says so',
    async () => {
      const { url, drop } = await createDatabase();
      onTestFinished(drop);
      const { port } = new URL(url);
      const proxy = await silentProxy(Number(port));
      onTestFinished(proxy.close);
      const databaseUrl = url.replace(port, String(proxy.port));
      const test = await startRelayer({ databaseUrl, engine: 'off' });
      onTestFinished(() => test.close());
      expect(await test.metric('database_up')).toBe(1);
      proxy.silence();
      const page = (await test.call('GET', '/metrics')).body as string;
      expect(metric(page, 'database_up')).toBe('0');
    },
    START_TIMEOUT_MS,
  );

  it(
    'is locked is not ready, refuses with 503 and the code of each request, and tells why',
    async () => {
      const database = await createDatabase();
      onTestFinished(database.drop);
      const test = await startRelayer({ databaseUrl: database.url, engine: 'off' });
      onTestFinished(() => test.close());
      const alice = await test.account();
      const order = await alice.order([LRC, 100n * ether], [ETH, ether]);
      const transfer = await alice.transfer((await test.account()).owner, [LRC, ether]);
      expect((await test.call('GET', '/ready')).status).toBe(200);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      onTestFinished(() => client.end());
      await client.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE; SELECT FROM accounts FOR UPDATE');
      const refused = await Promise.all([
        alice.submit(order),
        alice.post('/api/v3/transfer', transfer),
        alice.cancel({ orderHash: `0x${'77'.repeat(32)}` }),
        // What a check refuses may be known, and nobody can look.
        alice.submit({ ...order, exchange: alice.owner }),
      ]);
      expect(refused.map(({ status, body }) => [status, body.resultInfo.code])).toEqual([
        [503, relayerErrors.ORDER_SUBMIT_FAILED.code],
        [503, relayerErrors.FREEZE_FAILED.code],
        [503, relayerErrors.CANCEL_FAILED.code],
        [503, relayerErrors.ORDER_SUBMIT_FAILED.code],
      ]);
      const { status, body } = await test.call('GET', '/ready');
      expect(status).toBe(503);
      expect(body.problems.database).toMatch(/^(it cannot be used; the log says why|no answer within \d+ ms)$/);
      expect((await test.call('GET', '/live')).status).toBe(200);
      await client.query('ROLLBACK');
      expect((await alice.submit(order)).status).toBe(200);
      expect((await alice.post('/api/v3/transfer', transfer)).status).toBe(200);
      const page = (await test.call('GET', '/metrics')).body as string;
      expect(metric(page, 'unmatched_orders')).toBe('1');
      expect(Number(metric(page, 'oldest_waiting_seconds'))).toBeGreaterThan(0);
      expect(page).toContain('# HELP relayer_unmatched_orders Accepted orders');
      expect(page).toMatch(/relayer_requests_total\{endpoint="submitOrder",outcome="102027"\} 2/);
    },
    START_TIMEOUT_MS,
  );
});

describe('a relayer that gets no connection', () => {
  it(
    'refuses with 503, tells the cause, and goes on when it gets one',
    async () => {
      const database = await createDatabase({ migrated: false });
      onTestFinished(database.drop);
      const admin = new pg.Client({ connectionString: database.url });
      await admin.connect();
      const role = `limited_${randomBytes(4).toString('hex')}`;
      await admin.query(`CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}`);
      onTestFinished(async () => {
        await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
        await admin.end();
      });
      const relayer = await startProcess({ DATABASE_URL: database.url.replace('tester', role) });
      onTestFinished(relayer.kill);
      const ask = async (path: string) => (await fetch(`${relayer.url}${path}`)).status;
      const read = () => ask('/api/v3/account?accountId=1');
      expect(await read()).toBe(200);
      await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [role]);
      const answers = new Set<number>();
      await expect
        .poll(async () => {
          answers.add(await read());
          const refused = relayer.lines.filter(({ msg }) => msg === 'requests are refused');
          return refused.some(({ cause }) => String(cause).startsWith('53300'));
        })
        .toBe(true);
      expect([200, 503]).toEqual(expect.arrayContaining([...answers]));
      expect(await ask('/ready')).toBe(503);
      await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
      await expect.poll(() => ask('/ready')).toBe(200);
      expect(await read()).toBe(200);
    },
    START_TIMEOUT_MS,
  );
});

describe('metrics and health', () => {
  it(
    'metrics are on no public port in production',
    async () => {
      const { test, close } = await startOperated(startRelayer, { operationsPort: undefined, operatorKeys: undefined });
      onTestFinished(close);
      expect((await test.call('GET', '/metrics')).status).toBe(404);
      expect((await test.call('GET', '/ready')).status).toBe(200);
    },
    START_TIMEOUT_MS,
  );

  it(
    'have a port of their own when one is given',
    async () => {
      const test = await startRelayer({ operationsPort: 0 });
      onTestFinished(() => test.close());
      const own = `http://127.0.0.1:${test.relayer.operationsPort}`;
      expect((await test.call('GET', '/metrics')).status).toBe(404);
      expect((await fetch(`${own}/metrics`)).status).toBe(200);
      expect((await fetch(`${own}/ready`)).status).toBe(200);
      expect((await test.call('GET', '/ready')).status).toBe(200);
      expect((await fetch(`${own}/api/v3/timestamp`)).status).toBe(404);
    },
    START_TIMEOUT_MS,
  );
});

describe('a relayer that is asked to stop', () => {
  it(
    'says so to the proxy first, serves on, closes each connection, and ends with code 0',
    async () => {
      const relayer = await startProcess({ RELAYER_DRAIN_MS: '12000' });
      onTestFinished(relayer.kill);
      relayer.process.kill('SIGTERM');
      await expect.poll(async () => (await fetch(`${relayer.url}/ready`)).status).toBe(503);
      const answer = await fetch(`${relayer.url}/api/v3/account?accountId=1`);
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
      await exited(relayer.process);
      expect(relayer.process.exitCode).toBe(0);
    },
    START_TIMEOUT_MS,
  );
});
