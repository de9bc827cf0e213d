import type { Db, Sql } from '../../../src/relayer/db/port.ts';

/**
 * Runs `work` in a transaction that took `lock` before, such as `LOCK TABLE orders` or
 * `lockEngine`. The server's limit for idle transactions is off: `work` may do other things for as
 * long as they take.
 */
export const holding = <T>(
  db: Db,
  lock: string | ((tx: Sql) => Promise<unknown>),
  work: (tx: Sql) => Promise<T>,
): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await (typeof lock === 'string' ? tx.query(lock) : lock(tx));
    return work(tx);
  }, 'maintenance');
