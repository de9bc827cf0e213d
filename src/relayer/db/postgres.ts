import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrls } from './databaseUrls.ts';
import {
  DatabaseUnavailable,
  type Db,
  INT8_OID,
  isStalePlan,
  NUMERIC_OID,
  type Patience,
  type Sql,
  type SqlValue,
  sqlState,
  toWire,
  withRetry,
} from './port.ts';

/**
 * Texts of statements seen so far, each with the name under which a connection prepares it once.
 */
const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `s${statementNames.size + 1}`;
    statementNames.set(text, name);
  }
  return name;
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID) return (text: string) => Number(text);
    if (oid === NUMERIC_OID) return (text: string) => BigInt(text);
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

interface Limits {
  /** The server ends a statement that runs longer; ms, 0 for no limit. */
  readonly statement: number;
  /** The server ends a statement that waits longer for one lock; ms, 0 for no limit. */
  readonly lock: number;
}

const READ_STATEMENT_MS = 8_000;
const LIMITS: Readonly<Record<Patience, Limits>> = {
  submission: { statement: 8_000, lock: 4_000 },
  engine: { statement: 15_000, lock: 10_000 },
  maintenance: { statement: 0, lock: 0 },
};
/**
 * The server ends a transaction whose client sends nothing for this long, so that a process that
 * was paused does not hold its locks.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** A new connection, and its first statement, are answered within that time. */
const CONNECT_MS = 5_000;
/** Begins each connection for single statements that read. */
const READ_ONLY = { text: 'SET default_transaction_read_only = on', query_timeout: CONNECT_MS };
/** Beyond the server's own limit the connection itself is taken for dead. */
const GRACE_MS = 2_000;

/** How the driver says that no answer came. */
const NO_ANSWER = 'Query read timeout';
/** How often the server is asked whether commits still wait for a standby. */
const ASK_MS = 500;
/**
 * No right is needed to see this of one's own role. Each commit waits for a moment where there is a
 * synchronous standby.
 */
const COMMITS_WAIT = `SELECT EXISTS (
  SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
    AND query_start < clock_timestamp() - interval '5 s') AS wait`;
const isSilence = (error: unknown) =>
  error instanceof DatabaseUnavailable && (error.cause as Error).message === NO_ANSWER;
/**
 * A single statement that has to be committed; PostgreSQL refuses one that this overlooks, but
 * behind a pooler.
 */
const WRITES = /\b(INSERT|UPDATE|DELETE)\b/;

/** OpenSSL's names of what is wrong with a certificate, and Node's own for that of another host. */
const UNTRUSTED = /CERT|LEAF|^(INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;
/** What the driver says, without a code, of a server without TLS, and of a missing password. */
const REFUSED_BY_DRIVER = /^(The server does not support SSL connections$|SASL: )/;

/**
 * The cause of a connection that no repetition brings about: a certificate that is not trusted, a
 * file of the URL that cannot be read, a server without TLS, no password.
 */
export function wrongSetting(error: unknown): Error | undefined {
  if (!(error instanceof DatabaseUnavailable)) return undefined;
  const cause = error.cause as NodeJS.ErrnoException;
  const isFile = cause.syscall === 'open' || (cause.syscall === 'read' && cause.code === 'EISDIR');
  return isFile || UNTRUSTED.test(cause.code ?? '') || REFUSED_BY_DRIVER.test(cause.message) ? cause : undefined;
}

const clientLimit = (statementMs: number) => (statementMs === 0 ? 0 : statementMs + GRACE_MS);
/**
 * Whatever the server's default is: a statement that waited for a lock has to see what its holder
 * committed.
 */
const begin = ({ statement, lock }: Limits) =>
  `BEGIN ISOLATION LEVEL READ COMMITTED;
   SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock};
   SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`;

/**
 * A client that connects to the one server of several that takes writes. Where a server is not
 * reached, or is a standby, the next connection tries the next one, so that a standby is found soon
 * after it was promoted.
 */
function clientOfPrimary(urls: readonly string[]): typeof pg.Client {
  let current = 0;
  return class extends pg.Client {
    readonly #server = current;

    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: urls[current] as string });
    }

    // The pool calls it with a callback.
    override connect(callback?: unknown): Promise<pg.Client> {
      const connected = super.connect().then(async () => {
        const { rows } = await this.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
        if (rows[0]?.standby === false) return this;
        await this.end();
        throw new Error(`server ${this.#server + 1} of ${urls.length} is a standby`);
      });
      const told = connected.catch((error) => {
        if (current === this.#server) current = (current + 1) % urls.length;
        throw error;
      });
      if (typeof callback !== 'function') return told;
      told.then(
        () => callback(null),
        (error) => callback(error),
      );
      return told.catch(() => this);
    }
  };
}

/** How many connections of a process are for single statements that read. */
export const readConnections = (maxConnections: number): number => Math.max(1, Math.floor(maxConnections * 0.3));

/**
 * A PostgreSQL server. Several relayer processes may share one database.
 *
 * Single statements that read have connections of their own, so that transactions which wait for
 * locks or for a standby cannot take them. Every statement ends: the server bounds it, and when no
 * answer comes at all, the connection and all idle ones are dropped, because whatever silenced one
 * (a lost NAT entry, a failover) silenced them alike. Only a commit that waits for a standby keeps
 * its connection: the server keeps its backend whether the client is there or not, so with a new
 * connection for each they would use up `max_connections`. It is never cancelled, because a
 * cancelled wait commits without the standby.
 * @param databaseUrl - `postgres://…`; with several hosts, commas between, the one that takes
 *   writes is used.
 * @param maxConnections - connections of this process, at least 2; the server's `max_connections`
 *   bounds the sum.
 * @param pooled - The URL leads to a pooler that gives each transaction any connection of the
 *   server (PgBouncer): nothing may depend on a session. Statements are not prepared then, and the
 *   bound of reads is the role's.
 * @param forReads - how many of them are for single statements that read.
 * @throws {Error} The URL leads to a pooler and `pooled` is false, or the role has no bound.
 */
export async function openPostgres(
  databaseUrl: string,
  maxConnections = 10,
  pooled = false,
  forReads = readConnections(maxConnections),
): Promise<Db> {
  const idle = new Set<pg.Client>();
  const dropIdle = () => {
    for (const client of idle) client.connection.stream.destroy();
    idle.clear();
  };
  const urls = databaseUrls(databaseUrl);
  const Client = clientOfPrimary(urls);
  const open = (role: 'reads' | 'work', max: number): pg.Pool => {
    const isLimited = role === 'reads' && !pooled;
    const pool = new pg.Pool({
      ...(urls.length === 1 ? { connectionString: databaseUrl } : { Client }),
      max,
      types: types as pg.CustomTypesConfig,
      // Transactions set their own.
      ...(isLimited && { statement_timeout: READ_STATEMENT_MS }),
      connectionTimeoutMillis: CONNECT_MS,
      // No start option, which would take the place of those in the URL or in `PGOPTIONS`.
      ...(isLimited && { onConnect: (client: pg.ClientBase) => client.query(READ_ONLY) }),
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      application_name: 'countersign-relayer',
    });
    // Without listeners Node ends the process when a connection breaks: the pool's covers idle
    // connections only.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    pool.on('acquire', (client) => idle.delete(client as pg.Client));
    pool.on('release', (error, client) => error || idle.add(client as pg.Client));
    pool.on('remove', (client) => idle.delete(client as pg.Client));
    return pool;
  };
  const reads = open('reads', forReads);
  // With none the pool would take its own default of ten.
  const work = open('work', Math.max(1, maxConnections - forReads));

  const ask = async (runner: Pick<pg.PoolClient, 'query'>, query: pg.QueryConfig & { query_timeout: number }) => {
    try {
      return (await runner.query(query)).rows;
    } catch (error) {
      if (sqlState(error) !== undefined) throw error;
      if ((error as Error).message === NO_ANSWER) dropIdle();
      throw new DatabaseUnavailable(error);
    }
  };
  const over = (runner: Pick<pg.PoolClient, 'query'>, statementMs: number): Sql => ({
    query: async <Row>(text: string, values: readonly SqlValue[] = []) =>
      (await ask(runner, {
        ...(!pooled && { name: statementName(text) }),
        text,
        values: values.map(toWire),
        query_timeout: clientLimit(statementMs),
      })) as Row[],
  });

  const single = over(reads as unknown as pg.PoolClient, READ_STATEMENT_MS);

  let closing = false;
  let unanswered = 0;
  const commitsWait = () =>
    single.query<{ wait: boolean }>(COMMITS_WAIT).then(
      ([row]) => row?.wait === true,
      // Without an answer nobody gets a new connection either.
      () => true,
    );
  /** Keeps the place of a connection until its late answer, its end, or no commit waits. */
  const dropWhenOver = async (client: pg.PoolClient) => {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    client.once('drain', end).once('end', end);
    unanswered += 1;
    while (!hasEnded && !closing && (await commitsWait())) await sleep(ASK_MS);
    unanswered -= 1;
    client.release(true);
  };

  const transaction = async <T>(limits: Limits, run: (tx: Sql) => Promise<T>): Promise<T> => {
    if (unanswered === work.options.max)
      throw new DatabaseUnavailable(new Error('every connection waits, as commits do for a synchronous standby'));
    const client = await work.connect().catch((error) => {
      throw sqlState(error) === undefined ? new DatabaseUnavailable(error) : error;
    });
    const control = (text: string) => ask(client, { text, query_timeout: clientLimit(limits.statement) });
    let broken = false;
    let silent = false;
    try {
      await control(begin(limits));
      const result = await run(over(client, limits.statement));
      await control('COMMIT').catch((error) => {
        silent = isSilence(error);
        throw error;
      });
      return result;
    } catch (error) {
      // A connection that gave no answer gets no further statement: it would wait as long again.
      broken = error instanceof DatabaseUnavailable || isStalePlan(error);
      if (!broken)
        await control('ROLLBACK').catch(() => {
          broken = true;
        });
      throw error;
    } finally {
      if (silent) void dropWhenOver(client);
      else client.release(broken);
    }
  };

  const bound = async (serversLeft: number): Promise<{ bound: string }[]> => {
    try {
      return await single.query(`SELECT current_setting('statement_timeout') AS bound`);
    } catch (error) {
      if (serversLeft === 0 || !(error instanceof DatabaseUnavailable)) throw error;
      return bound(serversLeft - 1);
    }
  };
  await bound(urls.length - 1)
    .then(([row]) => {
      if (pooled && row?.bound === '0')
        throw new Error(
          "behind a pooler a read is bounded by its role: ALTER ROLE <the role of DATABASE_URL> SET statement_timeout = '8s', then reconnect the pooler",
        );
    })
    .catch(async (cause) => {
      const error = /unsupported startup parameter/.test(String(cause?.message))
        ? new Error(
            'DATABASE_URL leads to a pooler (PgBouncer): start with --database-pooler, or name PostgreSQL itself',
          )
        : cause;
      await Promise.all([reads.end(), work.end()]);
      throw error;
    });
  return {
    kind: 'postgres',
    // The pool drops a connection whose statement failed.
    query: (text, values) =>
      withRetry(() =>
        WRITES.test(text) ? transaction(LIMITS.submission, (tx) => tx.query(text, values)) : single.query(text, values),
      ),
    transaction: (run, patience = 'submission') => withRetry(() => transaction(LIMITS[patience], run)),
    script: async (text) => {
      await work.query(text);
    },
    connections: () => ({
      used: reads.totalCount - reads.idleCount + work.totalCount - work.idleCount,
      waiting: reads.waitingCount + work.waitingCount,
    }),
    close: async () => {
      closing = true;
      await Promise.all([reads.end(), work.end()]);
    },
  };
}
