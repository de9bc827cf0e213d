import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOrInstallPatroni, findOrInstallPostgres } from '../../../scripts/prepare.mjs';
import { freePort, unprivileged } from '../../relayer/support/postgresCluster.ts';

/**
 * Seconds in which Patroni notices that a leader is gone, its look in between, and its patience
 * with etcd.
 */
export const PATRONI = { ttl: 20, loop_wait: 2, retry_timeout: 5 } as const;

interface Member {
  readonly role: string;
  readonly state: string;
}

/** PostgreSQL servers that Patroni leads, each with its own process of Patroni, and one etcd. */
export interface PatroniCluster {
  /** Names every server. */
  readonly url: string;
  /** Number of the server that takes writes. */
  leader(): Promise<number>;
  /** Waits until every server runs and one of them is the leader's synchronous standby. */
  whole(): Promise<void>;
  /** As if the machine of a server lost its power: its PostgreSQL and its Patroni are killed. */
  kill(node: number): Promise<void>;
  /** Starts the Patroni of a server again, which brings its PostgreSQL back. */
  start(node: number): void;
  drop(): Promise<void>;
}

/** Starts a cluster in which every commit is written on two machines. */
export async function startPatroni(servers: number, say: (line: string) => void): Promise<PatroniCluster> {
  await findOrInstallPatroni(say);
  const bin = await findOrInstallPostgres(say);
  const user = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-patroni-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const children = new Set<ChildProcess>();
  const launch = (command: string, args: readonly string[]): ChildProcess => {
    const child = spawn(command, args, { cwd: folder, stdio: 'ignore', ...user });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };

  const [etcd, etcdPeers] = [await freePort(), await freePort()];
  launch('etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--name', 'one', '--initial-cluster-token', 'countersign'],
    ...['--listen-client-urls', `http://127.0.0.1:${etcd}`, '--advertise-client-urls', `http://127.0.0.1:${etcd}`],
    ...['--listen-peer-urls', `http://127.0.0.1:${etcdPeers}`],
    ...['--initial-advertise-peer-urls', `http://127.0.0.1:${etcdPeers}`],
    ...['--initial-cluster', `one=http://127.0.0.1:${etcdPeers}`],
  ]);

  const trusted = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  const nodes = await Promise.all(
    Array.from({ length: servers }, async (_, node) => {
      const [port, rest] = [await freePort(), await freePort()];
      const home = join(folder, String(node));
      mkdirSync(home);
      if (user) chownSync(home, user.uid, user.gid);
      const data = join(home, 'data');
      const file = join(home, 'patroni.yml');
      // JSON is YAML.
      writeFileSync(
        file,
        JSON.stringify({
          scope: 'countersign',
          name: `node${node}`,
          restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
          etcd3: { host: `127.0.0.1:${etcd}` },
          bootstrap: {
            dcs: {
              ...PATRONI,
              synchronous_mode: true,
              synchronous_mode_strict: true,
              postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', max_connections: 100 } },
            },
            initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
          },
          postgresql: {
            listen: `127.0.0.1:${port}`,
            connect_address: `127.0.0.1:${port}`,
            data_dir: data,
            bin_dir: bin,
            pgpass: join(home, 'pgpass'),
            pg_hba: trusted,
            authentication: { superuser: { username: 'tester' }, replication: { username: 'replicator' } },
            parameters: { unix_socket_directories: home },
          },
        }),
      );
      return { port, rest, data, file, patroni: undefined as ChildProcess | undefined };
    }),
  );
  const at = (node: number) => nodes[node] as (typeof nodes)[number];
  const start = (node: number) => {
    at(node).patroni = launch('patroni', [at(node).file]);
  };
  for (const node of nodes.keys()) start(node);

  const members = async (): Promise<(Member | undefined)[]> =>
    Promise.all(
      nodes.map(async ({ rest }) => {
        const answer = await fetch(`http://127.0.0.1:${rest}/patroni`).catch(() => undefined);
        if (answer === undefined) return undefined;
        const body = (await answer.json()) as { role: string; state: string; sync_standby?: boolean };
        return { role: body.sync_standby ? 'sync_standby' : body.role, state: body.state };
      }),
    );
  const isLeader = (member: Member | undefined) => member?.role === 'master' && member.state === 'running';

  return {
    url: `postgres://tester@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`,
    leader: async () => (await members()).findIndex(isLeader),
    whole: async () => {
      for (let waited = 0; ; waited += 500) {
        const all = await members();
        const isWhole = all.every((member) => member?.state === 'running') && all.some(isLeader);
        if (isWhole && all.some((member) => member?.role === 'sync_standby')) return;
        if (waited > 120_000) throw new Error(`the cluster is not whole: ${JSON.stringify(all)}`);
        await sleep(500);
      }
    },
    kill: async (node) => {
      const { patroni, data } = at(node);
      patroni?.kill('SIGKILL');
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    },
    start,
    drop: async () => {
      for (const { data } of nodes)
        try {
          process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
        } catch {
          // It is down already.
        }
      for (const child of children) child.kill('SIGKILL');
      await sleep(1_000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
