import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Db } from '../../../../src/relayer/db/port.ts';

export interface RelayerProcess {
  readonly url: URL;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * A relayer as an operator runs it, without the limits of a single client.
 * @param databaseUrl - `undefined` takes the embedded database.
 */
export async function startRelayerProcess(
  databaseUrl: string | undefined,
  { nodeOptions = [], settings = [] }: { nodeOptions?: readonly string[]; settings?: readonly string[] } = {},
): Promise<RelayerProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      ...nodeOptions,
      '--import',
      'tsx',
      'src/relayer/main.ts',
      '--dev',
      '--dev-on-postgres',
      '--port',
      '0',
      '--log-level',
      'warn',
      '--requests-per-second',
      '1000000',
      ...settings,
    ],
    { env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const { listening } = JSON.parse(line) as { listening?: string };
      if (listening) resolve(listening);
    });
    child.once('exit', () => reject(new Error('the relayer ended before it listened')));
  });
  return {
    url: new URL(url),
    pid: child.pid as number,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** One line of `/proc/…/stat` from the third field on; names may hold blanks and brackets. */
function statFields(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Linux counts processor time in ticks of 10 ms. */
const TICK_MS = 10;
const PARENT = 1;
const USER = 11;

const ticks = (fields: readonly string[], children: boolean): number =>
  fields.slice(USER, USER + (children ? 4 : 2)).reduce((sum, field) => sum + Number(field), 0);

/** Processor time of each thread by its id; that of the main thread is the process's. */
function threadCpu(pid: number): Map<number, number> {
  const threads = readdirSync(`/proc/${pid}/task`);
  return new Map(
    threads.map((thread) => [Number(thread), ticks(statFields(`/proc/${pid}/task/${thread}/stat`), false) * TICK_MS]),
  );
}

/**
 * Processor time from now on, ms: of the main thread, of the two busiest others (the state tree and
 * the signature thread, where they are at work), and of the rest (garbage collector, compiler).
 */
export function threadsFromNow(pid: number) {
  const before = threadCpu(pid);
  return () => {
    const used = [...threadCpu(pid)].map(([thread, ms]) => ({ thread, ms: ms - (before.get(thread) ?? 0) }));
    const main = used.find(({ thread }) => thread === pid)?.ms ?? 0;
    const [busiest = 0, second = 0, ...rest] = used
      .flatMap(({ thread, ms }) => (thread === pid ? [] : ms))
      .sort((a, b) => b - a);
    return { main, busiest, second, rest: rest.reduce((sum, ms) => sum + ms, 0) };
  };
}

/** Resident memory of a process, MB. */
export function residentMb(pid: number): number {
  const [, pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return (Number(pages) * 4096) / 1e6;
}

/** Processor time of a PostgreSQL server with all its processes, those that have ended included. */
export async function postgresCpu(db: Db): Promise<() => number> {
  const [row] = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const server = statFields(`/proc/${row?.pid}/stat`)[PARENT];
  return () => {
    let sum = ticks(statFields(`/proc/${server}/stat`), true);
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        const fields = statFields(`/proc/${pid}/stat`);
        if (fields[PARENT] === server) sum += ticks(fields, false);
      } catch {
        // It ended between the listing and the look.
      }
    return sum * TICK_MS;
  };
}
