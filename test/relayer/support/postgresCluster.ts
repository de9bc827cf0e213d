import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findOrInstallPostgres } from '../../../scripts/prepare.mjs';
import { migrate } from '../../../src/relayer/db/migrate.ts';
import { openPostgres } from '../../../src/relayer/db/postgres.ts';

/**
 * A private PostgreSQL of the test run, from the system's packages, as a user without rights, in a
 * folder that goes with it. Started by the first test file that asks, shared by the others, ended
 * by a watcher when the run's process ends.
 */

interface Cluster {
  readonly port: number;
}

/** All test files of one run have the same parent process. */
const RUN = process.ppid;

/**
 * When the run's process was started: a later run can have the same number, and find what a killed
 * one has left.
 */
function startOfRun(): string {
  const stat = readFileSync(`/proc/${RUN}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] as string;
}

/** A database of the cluster that has the newest schema and nothing in it. */
const MIGRATED = 'migrated';

/**
 * A new database on the cluster, with the newest schema and nothing in it.
 * @param durable - with fsync, as an operator runs it; a cluster of its own.
 * @param migrated - false: without a schema; a copy of one costs less than the migrations.
 */
export async function createDatabase({ durable = false, migrated = true } = {}): Promise<{
  url: string;
  drop(): Promise<void>;
}> {
  const { port } = await startCluster(durable);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = `postgres://tester@127.0.0.1:${port}`;
  await admin(
    `${server}/postgres`,
    `CREATE DATABASE ${name} TEMPLATE ${migrated ? MIGRATED : 'template1'} STRATEGY FILE_COPY`,
  );
  return {
    url: `${server}/${name}`,
    drop: () => admin(`${server}/postgres`, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Carries one statement out over a connection of its own. */
export async function admin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function startCluster(durable: boolean): Promise<Cluster> {
  const folder = join(tmpdir(), `countersign-postgres-${RUN}-${startOfRun()}${durable ? '-durable' : ''}`);
  const ready = join(folder, 'ready.json');
  let mine = false;
  try {
    mkdirSync(folder);
    mine = true;
  } catch {
    // Another file of this run is starting it.
  }
  if (!mine) {
    for (let waited = 0; waited < 420_000; waited += 100) {
      if (existsSync(ready)) return JSON.parse(readFileSync(ready, 'utf8')) as Cluster;
      await sleep(100);
    }
    throw new Error(`PostgreSQL did not start in ${folder}`);
  }
  try {
    const cluster = await initialise(folder, durable);
    writeFileSync(ready, JSON.stringify(cluster));
    return cluster;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function initialise(folder: string, durable: boolean): Promise<Cluster> {
  const { port, start } = await prepare(folder, durable);
  start();
  const url = `postgres://tester@127.0.0.1:${port}`;
  await admin(`${url}/postgres`, `CREATE DATABASE ${MIGRATED}`);
  const db = await openPostgres(`${url}/${MIGRATED}`, 2);
  await migrate(db);
  await db.close();
  return { port };
}

/**
 * A cluster of one test file's own, which may be killed, frozen and started again.
 * @param standbyOf - URL of a cluster whose copy it is, by streaming replication, until it is
 *   promoted.
 */
export async function createCluster({ durable = true, standbyOf }: { durable?: boolean; standbyOf?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-own-'));
  const { port, start, data, promote } = await prepare(folder, durable, standbyOf);
  start();
  const url = `postgres://tester@127.0.0.1:${port}/postgres`;
  const postmaster = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const end = async (signal: NodeJS.Signals) => {
    process.kill(postmaster(), signal);
    // Its children notice by themselves; a start before they have gone is refused.
    while (isRunning(folder)) await sleep(50);
    // The killed process may stay as a zombie, which the next start would take for a running
    // server.
    rmSync(join(data, 'postmaster.pid'), { force: true });
  };
  return {
    port,
    url,
    start,
    /** As a power cut would: nothing is said to clients, nothing is flushed. */
    kill: () => end('SIGKILL'),
    /** As an update of the package does: clients are told and cut off. */
    restart: async () => {
      await end('SIGINT');
      start();
    },
    /** As an administrator can. */
    endConnections: () =>
      admin(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'),
    promote,
    drop: () => {
      try {
        process.kill(postmaster(), 'SIGQUIT');
      } catch {
        // It is down already.
      }
    },
  };
}

/** Some process of the cluster in this folder lives. */
function isRunning(folder: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

async function prepare(folder: string, durable: boolean, standbyOf?: string) {
  const bin = await findOrInstallPostgres(() => {});
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const options = { stdio: 'pipe' as const, cwd: folder, ...user };
  const data = join(folder, 'data');
  if (standbyOf === undefined)
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'tester', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
      options,
    );
  else
    execFileSync(
      join(bin, 'pg_basebackup'),
      ['-D', data, '-d', standbyOf, '-R', '-X', 'stream', '-c', 'fast'],
      options,
    );
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  const start = () => {
    const log = join(folder, 'log');
    const given = settings.map((setting) => `-c ${setting}`).join(' ');
    try {
      execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-w', '-l', log, '-o', given, 'start'], {
        ...options,
        stdio: 'ignore',
      });
    } catch (cause) {
      throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8').slice(-2_000)}`, { cause });
    }
  };
  const promote = () => void execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-w', 'promote'], options);
  watch(folder, bin, data, user);
  return { port, data, start, promote };
}

/** Ends the cluster after the run, also after a killed one. */
function watch(folder: string, bin: string, data: string, user: { uid: number; gid: number } | undefined): void {
  const script = `while kill -0 ${RUN} 2>/dev/null; do sleep 0.5; done; '${bin}/pg_ctl' -D '${data}' -m immediate stop; rm -rf '${folder}'`;
  // Sending signal 0 to a process of another user needs its rights, so the watcher keeps ours and
  // drops them for pg_ctl.
  const ending = user
    ? script.replace(
        `'${bin}/pg_ctl'`,
        `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups '${bin}/pg_ctl'`,
      )
    : script;
  spawn('sh', ['-c', ending], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}

/** PostgreSQL refuses to run as root; then it runs as the package's own user. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * A free port below those that the system gives to outgoing connections: while the server is down,
 * a client that tries to reach it could be given the server's own port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const free = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (free) return port;
  }
}
