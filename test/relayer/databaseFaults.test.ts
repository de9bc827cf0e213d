import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { holding } from './support/holding.ts';
import { type Load, lostOrDoubled, startLoad } from './support/load.ts';
import { until } from './support/operated.ts';
import { admin, createCluster, createDatabase } from './support/postgresCluster.ts';
import { exited, type RelayerProcess, startProcess } from './support/relayerProcess.ts';
import { silentProxy } from './support/silentProxy.ts';
import { callerOf, TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

/**
 * The database breaks, stops answering or is blocked, under load: the relayer serves again by
 * itself.
 */

/** Its server's settings are changed; each test has a database of its own on it. */
let cluster: Awaited<ReturnType<typeof createCluster>>;
beforeAll(async () => {
  cluster = await createCluster();
}, START_TIMEOUT_MS);
afterAll(() => cluster.drop());

async function ownDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await admin(cluster.url, `CREATE DATABASE ${name}`);
  return new URL(`/${name}`, cluster.url).href;
}

async function relayerOn(databaseUrl: string, ...flags: string[]): Promise<RelayerProcess> {
  const started = await startProcess({ DATABASE_URL: databaseUrl }, ['--dev', ...flags]);
  onTestFinished(started.kill);
  return started;
}

/** A relayer whose connections can go silent. @returns Also the database's own URL. */
async function relayerBehindProxy(...flags: string[]) {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const { port } = new URL(url);
  const proxy = await silentProxy(Number(port));
  onTestFinished(proxy.close);
  const relayer = await relayerOn(url.replace(port, String(proxy.port)), ...flags);
  return { relayer, proxy, url };
}

/** Everything that was acknowledged is there, once, and the books are right. */
async function nothingLostOrDoubled(databaseUrl: string, load: Load, processes: readonly RelayerProcess[]) {
  await load.stop();
  expect(processes.map(({ process }) => process.exitCode ?? process.signalCode)).toEqual(processes.map(() => null));
  await Promise.all(processes.map(({ kill }) => kill()));
  expect(await lostOrDoubled(databaseUrl, load)).toEqual([]);
}

describe('a relayer serves again by itself, nothing lost or doubled,', () => {
  it(
    'after PostgreSQL was killed, restarted, and ended every connection under load',
    async () => {
      const cluster = await createCluster();
      onTestFinished(cluster.drop);
      const relayers = [await relayerOn(cluster.url), await relayerOn(cluster.url)];
      const load = await startLoad(relayers);
      const killAndStart = async () => {
        await cluster.kill();
        cluster.start();
      };
      for (const breakIt of [killAndStart, cluster.restart, cluster.endConnections]) {
        await load.acknowledgements(40);
        await breakIt();
      }
      for (const relayer of relayers) {
        load.redirect([relayer]);
        await load.acknowledgements(40);
      }
      await nothingLostOrDoubled(cluster.url, load, relayers);
    },
    START_TIMEOUT_MS,
  );

  it(
    'from a synchronous standby, after the primary was killed for good and the standby promoted',
    async () => {
      const primary = await createCluster();
      onTestFinished(primary.drop);
      const standby = await createCluster({ standbyOf: primary.url });
      onTestFinished(standby.drop);
      const admin = await openPostgres(primary.url, 2);
      await admin.script(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await admin.query('SELECT pg_reload_conf()');
      await until('the standby is synchronous', async () => {
        const [found] = await admin.query('SELECT sync_state AS state FROM pg_stat_replication');
        return found?.state === 'sync';
      });
      await admin.close();
      const both = primary.url.replace(String(primary.port), `${primary.port},127.0.0.1:${standby.port}`);
      // One that finds the primary first, and one that meets the standby first.
      const other = primary.url.replace(
        `127.0.0.1:${primary.port}`,
        `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`,
      );
      const relayers = [await relayerOn(both), await relayerOn(other)];
      const load = await startLoad(relayers);
      await load.acknowledgements(40);
      await primary.kill();
      standby.promote();
      for (const relayer of relayers) {
        load.redirect([relayer]);
        await load.acknowledgements(40);
      }
      await nothingLostOrDoubled(standby.url, load, relayers);
    },
    START_TIMEOUT_MS,
  );

  it(
    'after its connections to PostgreSQL went silent',
    async () => {
      const { relayer, proxy, url } = await relayerBehindProxy();
      const load = await startLoad([relayer]);
      await load.acknowledgements(40);
      expect(proxy.silence()).toBeGreaterThan(2);
      await load.acknowledgements(40);
      await nothingLostOrDoubled(url, load, [relayer]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'when PostgreSQL ends the transaction of a frozen process that locks its accounts, and so does that process',
    async () => {
      const database = await createDatabase();
      onTestFinished(database.drop);
      const frozen = await relayerOn(`${database.url}?application_name=frozen`);
      const healthy = await relayerOn(`${database.url}?application_name=healthy`);
      const load = await startLoad([frozen]);
      await load.acknowledgements(40);
      const watch = await openPostgres(database.url);
      onTestFinished(() => watch.close());
      /**
       * Transactions in which the frozen process stands still, one that the other waits for first.
       */
      const idle = () =>
        watch.query<{ pid: number; blocks: boolean }>(
          `SELECT pid, EXISTS (SELECT 1 FROM pg_stat_activity AS waiting
             WHERE application_name = 'healthy' AND query LIKE '%FROM accounts%FOR UPDATE%'
               AND session.pid = ANY (pg_blocking_pids(waiting.pid))) AS blocks
           FROM pg_stat_activity AS session
           WHERE application_name = 'frozen' AND state = 'idle in transaction' ORDER BY blocks DESC`,
        );
      let held: number | undefined;
      while (held === undefined) {
        frozen.process.kill('SIGSTOP');
        load.redirect([healthy]);
        // What the process sent before is carried out meanwhile.
        await sleep(100);
        for (let look = 0; look < 20 && held === undefined; look++) {
          const [session] = await idle();
          if (!session) break;
          if (session.blocks) held = session.pid;
          else await sleep(50);
        }
        if (held !== undefined) break;
        frozen.process.kill('SIGCONT');
        load.redirect([frozen]);
        await load.acknowledgements(1);
        await sleep(Math.random() * 20);
      }
      const isOpen = async () =>
        (await watch.query('SELECT FROM pg_stat_activity WHERE pid = $1', [held as number])).length > 0;
      await until('its transaction is ended', async () => !(await isOpen()));
      await load.acknowledgementOfEach();
      const told = () => frozen.lines.filter(({ level }) => level === 50).length;
      const before = told();
      frozen.process.kill('SIGCONT');
      load.redirect([frozen]);
      await Promise.race([load.acknowledgementOfEach(), exited(frozen.process)]);
      expect(frozen.process.exitCode).toBe(null);
      // It went on in the middle of the transaction, and met its end.
      await until('it tells so', async () => told() > before);
      await nothingLostOrDoubled(database.url, load, [frozen, healthy]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'after no table took rows, as on a full disk, and after the database was read-only',
    async () => {
      const url = await ownDatabase();
      const relayer = await relayerOn(url);
      const { body: info } = await callerOf(relayer.url)('GET', '/api/v3/exchange/info');
      const place = { url: relayer.url, exchange: info.exchangeAddress, chainId: info.chainId };
      const account = await (await new TestAccount(place).faucet()).activate();
      const payee = await new TestAccount(place).faucet();
      const load = await startLoad([relayer]);
      await load.acknowledgements(40);
      const order = (storageId: number) => account.order([LRC, 10n * ether], [ETH, ether], { storageId });
      const open = await account.submit(await order(0));
      expect(open.status).toBe(200);
      const [next, transfer] = [await order(2), await account.transfer(payee.owner, [LRC, ether])];
      const submissions = async () => {
        const replies = await Promise.all([
          account.submit(next),
          account.post('/api/v3/transfer', transfer),
          account.cancel({ orderHash: open.body.hash }),
        ]);
        return replies.map(({ status, body, headers }) => [status, body.resultInfo?.code, headers.get('retry-after')]);
      };
      const ready = async () => (await fetch(`${relayer.url}/ready`)).text();
      // Each table in a transaction of its own: with the locks of two it could deadlock with a
      // transaction of the relayer.
      const everyTable = (statement: string) =>
        admin(
          url,
          `DO $$ DECLARE name text; BEGIN
             FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
               EXECUTE format('${statement}', name);
               COMMIT;
             END LOOP; END $$`,
        );
      const setReadOnly = async (value: 'on' | 'off') => {
        await admin(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
        await admin(url, 'SELECT pg_reload_conf()');
      };
      onTestFinished(() => setReadOnly('off'));
      await admin(
        url,
        `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
      );
      const failures = [
        {
          code: '53100',
          begin: () =>
            everyTable('CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION full_disk()'),
          end: () => everyTable('DROP TRIGGER full_disk ON %I'),
          // Nothing that the engine has to do succeeds.
          notReady: 'engine',
        },
        { code: '25006', begin: () => setReadOnly('on'), end: () => setReadOnly('off'), notReady: 'database' },
      ];
      for (const { code, begin, end, notReady } of failures) {
        await begin();
        await expect.poll(ready, { interval: 500 }).toContain(notReady);
        expect(await submissions()).toEqual([
          [503, 102027, '1'],
          [503, 102014, '1'],
          [503, 102118, '1'],
        ]);
        expect(relayer.lines.some(({ cause }) => String(cause).startsWith(code))).toBe(true);
        expect((await account.get('/api/v3/order', { orderHash: open.body.hash })).body.status).toBe('processing');
        await end();
        await load.acknowledgements(40);
        await expect.poll(ready, { interval: 500 }).toContain('ok');
      }
      expect((await submissions()).map(([status]) => status)).toEqual([200, 200, 200]);
      await nothingLostOrDoubled(url, load, [relayer]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'when it is started before PostgreSQL',
    async () => {
      const cluster = await createCluster({ durable: false });
      onTestFinished(cluster.drop);
      await cluster.kill();
      let refused = () => {};
      const waits = new Promise<void>((resolve) => {
        refused = resolve;
      });
      const starting = startProcess({ DATABASE_URL: cluster.url }, ['--dev'], ({ msg }) => {
        if (msg === 'the database is not up yet') refused();
      });
      onTestFinished(() =>
        starting.then(
          ({ kill }) => kill(),
          () => {},
        ),
      );
      await Promise.race([waits, starting]);
      cluster.start();
      const relayer = await starting;
      expect(relayer.lines.map(({ msg }) => msg)).toContain('the database is not up yet');
      expect((await fetch(`${relayer.url}/health`)).status).toBe(200);
    },
    START_TIMEOUT_MS,
  );
});

describe('a relayer that is asked to stop while its database gives no answer', () => {
  it(
    'ends in order, with code 0, when its connections went silent',
    async () => {
      const { relayer, proxy } = await relayerBehindProxy('--drain-ms', '0');
      expect(proxy.silence()).toBeGreaterThan(0);
      // The engine works four times a second, so one of its statements waits for an answer then.
      await sleep(2_000);
      relayer.process.kill('SIGTERM');
      await exited(relayer.process);
      expect(relayer.process.exitCode).toBe(0);
    },
    START_TIMEOUT_MS,
  );

  it(
    'is ended by force, with code 1 and that as the last line of its log, and nothing acknowledged is lost',
    async () => {
      const { relayer, proxy, url } = await relayerBehindProxy('--drain-ms', '12000');
      const load = await startLoad([relayer], 2);
      await load.acknowledgements(10);
      const lock = new pg.Client({ connectionString: url });
      await lock.connect();
      onTestFinished(() => lock.end());
      relayer.process.kill('SIGTERM');
      await until('it stops', async () => relayer.lines.some(({ msg }) => msg === 'stopping'));
      // The engine waits 17 s for the statement at which its connection goes silent. Begun 4 s
      // after the signal, while requests are still served, it is unanswered when the time to stop
      // is over.
      await sleep(4_000);
      await lock.query('BEGIN; LOCK TABLE ledger IN ACCESS EXCLUSIVE MODE');
      const isWaitedFor = async () =>
        (await lock.query(`SELECT FROM pg_locks WHERE relation = 'ledger'::regclass AND NOT granted`)).rowCount !== 0;
      while (!(await isWaitedFor())) {
        expect(relayer.process.exitCode).toBe(null);
        await sleep(20);
      }
      proxy.silence();
      await exited(relayer.process);
      expect(relayer.process.exitCode).toBe(1);
      expect(relayer.lines.at(-1)).toMatchObject({ level: 60, msg: 'stopped by force' });
      await lock.query('ROLLBACK');
      await load.stop();
      expect(await lostOrDoubled(url, load)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );
});

it(
  'PostgreSQL ends every transaction of a relayer in which nothing is sent for 5 s',
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const db = await openPostgres(database.url);
    onTestFinished(() => db.close());
    const limit = `SELECT current_setting('idle_in_transaction_session_timeout') AS limit`;
    for (const patience of ['submission', 'engine', 'maintenance'] as const)
      expect(await db.transaction((tx) => tx.query(limit), patience)).toEqual([{ limit: '5s' }]);
  },
  START_TIMEOUT_MS,
);

it(
  'a statement that waited for a lock sees what its holder committed, whatever the database has as its default',
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const name = new URL(database.url).pathname.slice(1);
    await admin(database.url, `ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    const db = await openPostgres(database.url);
    onTestFinished(() => db.close());
    await db.query(`INSERT INTO settings (key, value) VALUES ('counter', '0')`);
    const increment = `UPDATE settings SET value = value::int + 1 WHERE key = 'counter' RETURNING value`;
    let attempts = 0;
    let second: Promise<{ value: string }[]> | undefined;
    await holding(db, increment, async () => {
      second = db.transaction((tx) => {
        attempts += 1;
        return tx.query(increment);
      });
      const waiting = `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = $1`;
      await until('the second one waits', async () => Number((await db.query(waiting, [name]))[0]?.n) === 1);
    });
    expect(await second).toEqual([{ value: '2' }]);
    expect(attempts).toBe(1);
  },
  START_TIMEOUT_MS,
);

it(
  'connections for reads write nothing, and one connection for transactions is the least there is',
  async () => {
    const database = await createDatabase();
    onTestFinished(database.drop);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c work_mem=5MB');
    const db = await openPostgres(url.href, 1);
    onTestFinished(() => db.close());
    // Options of the URL stay.
    expect(await db.query('SHOW work_mem')).toEqual([{ work_mem: '5MB' }]);
    await db.script('CREATE TABLE written (n int)');
    // As no statement of the relayer is written: it would be taken for a read.
    await expect(db.query('insert into written values (1)')).rejects.toMatchObject({ code: '25006' });
    await db.query('INSERT INTO written VALUES (1)');
    const [pid, other] = await Promise.all(
      [1, 2].map(() => db.transaction((tx) => tx.query('SELECT pg_backend_pid() AS pid'))),
    );
    expect(other).toEqual(pid);
    expect(await db.query('SELECT n FROM written')).toEqual([{ n: 1 }]);
  },
  START_TIMEOUT_MS,
);

describe('while no standby confirms commits, a relayer', () => {
  /** A database whose server lets commits wait for the standbys that are named. */
  async function confirmedServer() {
    const url = await ownDatabase();
    const admin = new pg.Client({ connectionString: url });
    await admin.connect();
    onTestFinished(() => admin.end());
    const confirm = async (standbys: string) => {
      await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
      await admin.query('SELECT pg_reload_conf()');
    };
    onTestFinished(() => confirm(''));
    return { url, admin, confirm };
  }

  it(
    'is not ready',
    async () => {
      const { url, confirm } = await confirmedServer();
      const relayer = await relayerOn(url);
      const ready = async () => (await fetch(`${relayer.url}/ready`)).status;
      expect(await ready()).toBe(200);
      await confirm('*');
      await until('it is not ready', async () => (await ready()) === 503);
      await confirm('');
      await until('it is ready', async () => (await ready()) === 200);
    },
    START_TIMEOUT_MS,
  );

  it(
    'keeps within its connections, refuses at once and serves again when commits need not wait',
    async () => {
      const { url, admin, confirm } = await confirmedServer();
      const db = await openPostgres(url, 4);
      onTestFinished(() => db.close());
      await db.script('CREATE TABLE written (n int)');
      await confirm('*');
      const write = (how: 'transaction' | 'statement') =>
        (how === 'statement'
          ? db.query('INSERT INTO written VALUES (1)')
          : db.transaction((tx) => tx.query('INSERT INTO written VALUES (1)'))
        ).catch((error) => String(error));
      const backends = async () =>
        (
          await admin.query(
            `SELECT FROM pg_stat_activity
             WHERE application_name = 'countersign-relayer' AND datname = current_database()`,
          )
        ).rowCount;
      // Each is given up after ten seconds, and the second three are refused.
      for (let round = 0; round < 2; round++)
        await Promise.all([write('transaction'), write('transaction'), write('transaction'), write('statement')]);
      expect(await backends()).toBeLessThanOrEqual(4);
      expect(await write('transaction')).toContain('every connection waits');
      expect(await db.query('SELECT true AS reads')).toEqual([{ reads: true }]);
      await confirm('');
      for (const how of ['transaction', 'statement'] as const)
        await until(`a ${how} is committed`, async () => Array.isArray(await write(how)));
    },
    START_TIMEOUT_MS,
  );
});
