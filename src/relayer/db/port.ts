type Scalar = string | number | bigint | boolean | null;

/** Value that a statement may be given. Money is `bigint`; it travels as decimal text. */
export type SqlValue = Scalar | readonly Scalar[];

/** Columns of rows for `unnest`, in the order of their names. */
export const columns = <Name extends string>(
  rows: readonly Readonly<Record<Name, Scalar>>[],
  names: readonly Name[],
): Scalar[][] => names.map((name) => rows.map((row) => row[name]));

/**
 * Runs SQL. Both databases answer alike: `int8` as `number` (ids and milliseconds stay below 2^53),
 * `numeric` as `bigint` (every numeric column is an integer), `jsonb` as parsed values.
 */
export interface Sql {
  query<Row = Record<string, unknown>>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
}

/**
 * How long the statements of a transaction may run and wait for locks. A `submission` (the default)
 * gives up early, because its client sends the same bytes again; `maintenance` never does.
 */
export type Patience = 'submission' | 'engine' | 'maintenance';

/**
 * The one database port of the relayer: PGlite in the process, or a PostgreSQL server shared by
 * several processes.
 */
export interface Db extends Sql {
  readonly kind: 'pglite' | 'postgres';
  /**
   * Runs `work` in one transaction and commits; rolls back when it throws. A deadlock or
   * serialization failure is repeated from the start, so `work` must touch nothing but the
   * database, or take the rest back when it begins again.
   */
  transaction<T>(work: (tx: Sql) => Promise<T>, patience?: Patience): Promise<T>;
  /** Several statements without parameters, as the tests give them. */
  script(text: string): Promise<void>;
  /** Connections that are in use, and work that waits for one. */
  connections(): { readonly used: number; readonly waiting: number };
  close(): Promise<void>;
}

/** OIDs of the PostgreSQL types whose text form is parsed by us. */
export const INT8_OID = 20;
export const NUMERIC_OID = 1700;

export function toWire(value: SqlValue): string | number | boolean | null | (string | number | boolean | null)[] {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'bigint' ? item.toString() : item));
  return value as string | number | boolean | null;
}

/** No answer of the database: it cannot be reached, or the connection broke or went silent. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super(`the database gives no answer: ${cause instanceof Error ? cause.message || cause.name : cause}`, { cause });
  }
}

/**
 * True when the database could not do its work now, whatever the work was: connections, resources,
 * locks, timeouts, shutdown, disks. The same work may succeed later.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable || /^(08|25|40|53|55|57|58)/.test(sqlState(error) ?? '') || isStalePlan(error)
  );
}

/**
 * A statement ran or waited for a lock longer than it may, or met damaged data or an internal error
 * of the database (class XX). It may succeed later, or never, and other work may succeed now.
 */
export function mayPass(error: unknown): boolean {
  return /^(57014|55P03|XX...)$/.test(sqlState(error) ?? '');
}

const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 8;

/** The SQLSTATE of a database error, if it is one. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/**
 * A newer version changed a table while this process runs: statements that its connections had
 * prepared are refused from then on, before they do anything. A new connection prepares them anew.
 */
export function isStalePlan(error: unknown): boolean {
  return sqlState(error) === '0A000' && /cached plan must not change/.test((error as Error).message);
}

/**
 * Repeats what failed only because of other transactions or of a changed table, with a short random
 * pause.
 */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const repeatable = RETRYABLE.has(sqlState(error) ?? '') || isStalePlan(error);
      if (attempt >= ATTEMPTS || !repeatable) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
    }
  }
}
