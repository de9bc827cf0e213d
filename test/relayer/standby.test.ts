import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { standbyReads } from '../../src/relayer/db/standby.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createCluster } from './support/postgresCluster.ts';
import { silentProxy } from './support/silentProxy.ts';
import { SocketClient } from './support/socketClient.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { LRC } from './support/tokens.ts';

/**
 * Histories and market data come from a standby, and are never behind what was acknowledged before.
 */

type Cluster = Awaited<ReturnType<typeof createCluster>>;

const undo: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function cluster(standbyOf?: Cluster): Promise<Cluster> {
  const made = await createCluster(standbyOf && { standbyOf: standbyOf.url });
  undo.push(made.drop);
  return made;
}

async function run(on: Cluster, script: string): Promise<void> {
  const db = await openPostgres(on.url, 2);
  await db.script(script);
  await db.close();
}

describe('a relayer with a standby', () => {
  let primary: Cluster;
  let standby: Cluster;
  let server: TestRelayer;
  let account: TestAccount;
  let payee: TestAccount;
  let sent = 0;

  beforeAll(async () => {
    primary = await cluster();
    standby = await cluster(primary);
    // Reading needs no further rights.
    await run(primary, 'CREATE ROLE reader LOGIN');
    await run(primary, 'GRANT pg_read_all_data TO reader');
    server = await startRelayer({
      databaseUrl: primary.url,
      databaseStandbyUrl: standby.url.replace('tester', 'reader'),
    });
    undo.push(server.close);
    account = await server.account();
    payee = await server.account();
  }, START_TIMEOUT_MS);

  /** Statements of histories that each server has answered. */
  const reads = async () => {
    const of = (name: string) => server.metric(`history_reads_total{server="${name}"}`);
    return { primary: await of('primary'), standby: await of('standby') };
  };

  const history = async (): Promise<string[]> => {
    const { status, body } = await account.get('/api/v3/user/transfers', { limit: 50 });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.transactions.map(({ hash }: { hash: string }) => hash);
  };

  /** Sends a transfer and reads the history right after its acknowledgement, which must have it. */
  async function sendAndRead(): Promise<void> {
    const transfer = await account.transfer(payee.owner, [LRC, 10n ** 18n], { storageId: 2 * sent++ + 1 });
    const { status, body } = await account.post('/api/v3/transfer', transfer);
    expect(status, JSON.stringify(body)).toBe(200);
    const all = await history();
    expect(all[0]).toBe(body.hash);
    expect(all).toHaveLength(Math.min(sent, 50));
  }

  const untilTheStandbyAnswers = () =>
    expect
      .poll(
        async () => {
          const before = await reads();
          await history();
          return (await reads()).standby - before.standby;
        },
        { interval: 200 },
      )
      .toBe(2);

  /**
   * Sends three transfers, reads the history after each, then NFTs and market data, also pushed.
   * @returns the statements that each server answered.
   */
  async function sendThreeAndReadAll(): Promise<Awaited<ReturnType<typeof reads>>> {
    const before = await reads();
    for (let n = 0; n < 3; n++) await sendAndRead();
    expect((await account.get('/api/v3/user/nft/balances')).status).toBe(200);
    for (const path of [
      '/api/v3/candlestick?market=LRC-ETH&interval=1d',
      '/api/v3/trade?market=LRC-ETH',
      '/api/v3/depth?market=LRC-ETH',
      '/api/v3/amm/balances',
    ])
      expect((await server.call('GET', path)).status).toBe(200);
    const client = await SocketClient.connect(server.relayer.url);
    await client.subscribe([{ topic: 'orderbook', market: 'LRC-ETH', level: 0 }]);
    client.socket.close();
    const after = await reads();
    return { primary: after.primary - before.primary, standby: after.standby - before.standby };
  }

  test('reads histories and market data there, with everything that was acknowledged', async () => {
    await untilTheStandbyAnswers();
    // On a busy machine the standby is behind now and then, and what it misses is read from the
    // primary.
    await expect
      .poll(sendThreeAndReadAll, { interval: 200 })
      .toEqual({ primary: 0, standby: 3 * 2 + 2 + 1 + 2 + 1 + 1 + 1 });
  });

  test('has everything also where commits are acknowledged before they are flushed', async () => {
    await untilTheStandbyAnswers();
    await run(primary, 'ALTER SYSTEM SET synchronous_commit = off');
    await run(primary, 'SELECT pg_reload_conf()');
    for (let n = 0; n < 10; n++) await sendAndRead();
    await run(primary, 'ALTER SYSTEM RESET synchronous_commit');
    await run(primary, 'SELECT pg_reload_conf()');
  });

  test('reads from the primary while the standby is behind, and from the standby again afterwards', async () => {
    await untilTheStandbyAnswers();
    await run(standby, 'SELECT pg_wal_replay_pause()');
    const before = await reads();
    await sendAndRead();
    const after = await reads();
    expect(after.standby).toBe(before.standby);
    expect(after.primary - before.primary).toBe(2);
    await run(standby, 'SELECT pg_wal_replay_resume()');
    await untilTheStandbyAnswers();
    await sendAndRead();
  });

  test('reads from the primary while the standby is away, and from the standby again afterwards', async () => {
    await untilTheStandbyAnswers();
    await standby.kill();
    const before = await reads();
    await sendAndRead();
    expect((await reads()).standby).toBe(before.standby);
    standby.start();
    await untilTheStandbyAnswers();
    await sendAndRead();
  });

  test('starts while the standby is away', async () => {
    const gone = await createCluster({ durable: false });
    await gone.kill();
    const other = await startRelayer({ databaseUrl: primary.url, databaseStandbyUrl: gone.url });
    undo.push(other.close);
    const { status } = await other.call('GET', '/api/v3/trade?market=LRC-ETH');
    expect(status).toBe(200);
  });

  test('reads nothing from a standby that was promoted', async () => {
    await untilTheStandbyAnswers();
    standby.promote();
    const before = await reads();
    // It has everything that the primary has, and could have more by now.
    await history();
    await sendAndRead();
    expect((await reads()).standby).toBe(before.standby);
  });
});

test(
  'a standby answers as many reads at a time as it may have connections, and is not waited for once silent',
  async () => {
    const primary = await cluster();
    const standby = await cluster(primary);
    const proxy = await silentProxy(standby.port);
    undo.push(proxy.close);
    const db = await openPostgres(primary.url, 4);
    undo.push(() => db.close());
    const servers: string[] = [];
    const reasons: unknown[] = [];
    const url = standby.url.replace(String(standby.port), String(proxy.port));
    const reader = standbyReads(
      db,
      { url, connections: 4, pooled: false },
      (name) => servers.push(name),
      (reason) => reasons.push(reason),
    );
    undo.push(() => reader.close());
    const answer = async () => {
      await reader.query('SELECT 1');
      return servers.at(-1);
    };
    await expect.poll(answer, { interval: 200 }).toBe('standby');
    const together = async () => {
      servers.length = 0;
      await Promise.all(Array.from({ length: 4 }, () => reader.query('SELECT pg_sleep(0.5)')));
      return servers;
    };
    await expect.poll(together, { interval: 200 }).toEqual(Array(4).fill('standby'));
    // Each had a connection of its own.
    expect(proxy.silence()).toBe(4);
    reasons.length = 0;
    expect(await answer()).toBe('primary');
    // Not the end of a statement that nobody answers, which comes after ten seconds.
    expect(String(reasons)).toContain('the standby has not replayed');
  },
  START_TIMEOUT_MS,
);

describe('no standby answers', () => {
  /** Which servers answer so many reads of the primary's own rows, one after another. */
  async function serversThatAnswer(primary: Cluster, standby: Cluster, reads: number): Promise<readonly string[]> {
    const db = await openPostgres(primary.url, 4);
    const servers: string[] = [];
    const reasons: unknown[] = [];
    const reader = standbyReads(
      db,
      { url: standby.url, connections: 4, pooled: false },
      (name) => servers.push(name),
      (reason) => reasons.push(reason),
    );
    await reader.query('SELECT 1');
    servers.length = 0;
    for (let n = 0; n < reads; n++) {
      // One that was slow, such as to be opened, is asked again a second later.
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await reader.query('SELECT 1');
    }
    await reader.close();
    await db.close();
    if (!servers.includes('standby')) expect(String(reasons.at(-1))).toContain('the standby has not replayed');
    return servers;
  }

  test(
    'that belongs to another database, or to a timeline that was left',
    async () => {
      const primary = await cluster();
      const next = await cluster(primary);
      const left = await cluster(primary);
      await expect.poll(() => serversThatAnswer(primary, left, 1), { interval: 200 }).toEqual(['standby']);
      next.promote();
      // What the old primary went on to write puts its standby ahead of the new one.
      await run(primary, 'CREATE TABLE ahead AS SELECT generate_series(1, 200000)');
      await expect.poll(() => serversThatAnswer(primary, left, 1), { interval: 200 }).toEqual(['standby']);
      expect(await serversThatAnswer(next, left, 5)).toEqual(Array(5).fill('primary'));

      const stranger = await cluster();
      expect(await serversThatAnswer(stranger, left, 5)).toEqual(Array(5).fill('primary'));
    },
    START_TIMEOUT_MS,
  );
});
