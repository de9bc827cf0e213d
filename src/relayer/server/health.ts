import { isSchemaNewer } from '../db/migrate.ts';
import type { Engine } from '../engine/engine.ts';
import type { Relayer } from '../engine/relayer.ts';
import { within } from '../within.ts';

/** Whether this process should get requests now. */
export interface Health {
  /** Reasons why it is not ready, by check; empty when it is ready. */
  ready(): Promise<Readonly<Record<string, string>>>;
  readonly stopping: boolean;
  /** Not ready from now on: running connections are served to their end and closed. */
  drain(): void;
}

const ANSWER_MS = 3_000;
/** Longer than any transaction of the engine. */
const ENGINE_MS = 20_000;
/** Checks that come together are answered together. */
const FRESH_MS = 500;

export function createHealth(relayer: Relayer, engine: Engine): Health {
  let stopping = false;
  let last: { at: number; problems: Promise<Record<string, string>> } | undefined;

  /**
   * The way of an order: the grouped key lookup, then a transaction that reads the tables which
   * orders write. It reads the newest order, because rows that the archive has deleted stay in
   * front of the table until a vacuum. Its message in the write-ahead log makes its commit wait as
   * theirs do; a read-only transaction may write it too.
   */
  const takeItsWay = async (): Promise<string | undefined> => {
    if (await isSchemaNewer(relayer.db)) return 'a newer version changed it; start that one here';
    await relayer.accountOfApiKey('readiness');
    const [is] = await relayer.db.transaction((tx) =>
      tx.query<{ read_only: boolean }>(
        `SELECT current_setting('transaction_read_only')::bool AS read_only,
                EXISTS (SELECT 1 FROM accounts), EXISTS (SELECT 1 FROM balances),
                EXISTS (SELECT 1 FROM storage_slots), (SELECT true FROM orders ORDER BY seq DESC LIMIT 1),
                pg_logical_emit_message(true, 'countersign readiness', '')::text`,
      ),
    );
    return is?.read_only ? 'it is read-only' : undefined;
  };
  let inProgress: Promise<string | undefined> | undefined;
  /** One at a time: while a database hangs they would take the connections. */
  const database = () => {
    inProgress ??= takeItsWay().finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  };

  const look = async (): Promise<Record<string, string>> => {
    const answer = database().then(
      (found) => found ?? '',
      (error: unknown) => {
        // Anybody may ask, and the error names hosts and ports.
        relayer.trouble(error);
        return 'it cannot be used; the log says why';
      },
    );
    const problem = (await within(answer, ANSWER_MS)) ?? `no answer within ${ANSWER_MS} ms`;
    const since = engine.sinceProgress();
    return {
      ...(problem !== '' && { database: problem }),
      ...(since !== undefined && since > ENGINE_MS && { engine: `no step succeeded for ${Math.round(since)} ms` }),
    };
  };

  return {
    ready: async () => {
      if (stopping) return { process: 'stopping' };
      const now = performance.now();
      if (!last || now - last.at > FRESH_MS) last = { at: now, problems: look() };
      return last.problems;
    },
    get stopping() {
      return stopping;
    },
    drain: () => {
      stopping = true;
    },
  };
}
