import { afterEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { type Load, lostOrDoubled, startLoad } from './support/load.ts';
import { createCluster, createDatabase } from './support/postgresCluster.ts';
import { exited, type RelayerProcess, startProcess } from './support/relayerProcess.ts';
import { silentProxy } from './support/silentProxy.ts';

/**
 * The database breaks, stops answering or is blocked, under load: the relayer serves again by
 * itself.
 */

const undo: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function relayerOn(databaseUrl: string, ...flags: string[]): Promise<RelayerProcess> {
  const started = await startProcess({ DATABASE_URL: databaseUrl }, ['--dev', ...flags]);
  undo.push(async () => {
    started.process.kill('SIGKILL');
    await exited(started.process);
  });
  return started;
}

/** Everything that was acknowledged is there, once, and the books are right. */
async function nothingLostOrDoubled(databaseUrl: string, load: Load, processes: readonly RelayerProcess[]) {
  await load.stop();
  expect(processes.map(({ process }) => process.exitCode ?? process.signalCode)).toEqual(processes.map(() => null));
  for (const { process } of processes) process.kill('SIGKILL');
  await Promise.all(processes.map(({ process }) => exited(process)));
  expect(await lostOrDoubled(databaseUrl, load)).toEqual([]);
}

describe('a relayer serves again by itself, nothing lost or doubled,', () => {
  it(
    'after PostgreSQL was killed, restarted, and ended every connection under load',
    async () => {
      const cluster = await createCluster();
      undo.push(cluster.drop);
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
      undo.push(primary.drop);
      const standby = await createCluster({ standbyOf: primary.url });
      undo.push(standby.drop);
      const admin = await openPostgres(primary.url, 2);
      await admin.script(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
      await admin.query('SELECT pg_reload_conf()');
      for (let state = ''; state !== 'sync'; )
        [{ state } = { state: '' }] = await admin.query<{ state: string }>(
          'SELECT sync_state AS state FROM pg_stat_replication',
        );
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
      const database = await createDatabase();
      undo.push(database.drop);
      const { port } = new URL(database.url);
      const proxy = await silentProxy(Number(port));
      undo.push(proxy.close);
      const relayer = await relayerOn(database.url.replace(port, String(proxy.port)));
      const load = await startLoad([relayer]);
      await load.acknowledgements(40);
      expect(proxy.silence()).toBeGreaterThan(2);
      await load.acknowledgements(40);
      await nothingLostOrDoubled(database.url, load, [relayer]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'while another process is frozen in a transaction, and so does that process when it goes on',
    async () => {
      const database = await createDatabase();
      undo.push(database.drop);
      const frozen = await relayerOn(database.url);
      const healthy = await relayerOn(database.url, '--engine', 'off');
      const load = await startLoad([frozen]);
      // The accounts of the other load now: the faucet settles at once, for which it waits for the
      // engine's lock.
      let begin = () => {};
      const others = await startLoad([healthy], 4, new Promise<void>((resolve) => (begin = resolve)));
      await load.acknowledgements(40);
      const watch = await openPostgres(database.url);
      undo.push(() => watch.close());
      for (let held = 0; held === 0; ) {
        frozen.process.kill('SIGSTOP');
        await new Promise((resolve) => setTimeout(resolve, 100));
        const [row] = await watch.query<{ n: number }>(
          `SELECT count(*) AS n FROM pg_stat_activity JOIN pg_locks USING (pid)
           WHERE state LIKE 'idle in transaction%' AND mode = 'ExclusiveLock' AND locktype = 'transactionid'`,
        );
        held = row?.n ?? 0;
        if (held > 0) break;
        frozen.process.kill('SIGCONT');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      }
      // What was sent to the frozen process is answered when it goes on; the accounts have further
      // lanes.
      begin();
      await others.acknowledgements(20);
      frozen.process.kill('SIGCONT');
      await load.acknowledgements(40);
      await others.stop();
      expect(others.wrong).toEqual([]);
      await nothingLostOrDoubled(database.url, load, [frozen, healthy]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'when it is started before PostgreSQL',
    async () => {
      const cluster = await createCluster({ durable: false });
      undo.push(cluster.drop);
      await cluster.kill();
      let refused = () => {};
      const waits = new Promise<void>((resolve) => {
        refused = resolve;
      });
      const starting = startProcess({ DATABASE_URL: cluster.url }, ['--dev'], ({ msg }) => {
        if (msg === 'the database is not up yet') refused();
      });
      starting.then(
        ({ process }) => undo.push(() => void process.kill('SIGKILL')),
        () => {},
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
