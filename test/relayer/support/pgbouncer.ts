import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, unprivileged } from './postgresCluster.ts';
import { exited } from './relayerProcess.ts';

const BINARY = '/usr/sbin/pgbouncer';

/**
 * A real PgBouncer that pools transactions before a database of the test cluster, from the system's
 * packages.
 */
export async function startPgBouncer(
  databaseUrl: string,
  poolSize: number,
): Promise<{ url: string; stop(): Promise<void> }> {
  install();
  const { hostname, port: server, pathname, username } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${server} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const child = spawn(BINARY, ['--quiet', file], { stdio: 'ignore', cwd: folder, ...user });
  await until(port);
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      child.kill('SIGQUIT');
      await exited(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function until(port: number): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const open = await new Promise((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await sleep(50);
  }
  throw new Error('PgBouncer did not start');
}

function install(): void {
  if (existsSync(BINARY)) return;
  if (process.getuid?.() !== 0)
    throw new Error('PgBouncer is missing and only root may install it: sudo apt-get install -y pgbouncer');
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'pgbouncer'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
