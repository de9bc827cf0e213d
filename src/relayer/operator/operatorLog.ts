import type { Sql } from '../db/port.ts';

export interface OperatorLogEntry {
  /** Name of the key. */
  readonly operator: string;
  readonly action: string;
  readonly subject: string;
  readonly request: object;
  readonly outcome: 'done' | 'repeated' | 'refused';
  /** Why it was refused. */
  readonly message?: string;
}

/** Any fixed number. */
const LOG_LOCK = 727_006;

/**
 * Appends to the audit log, at the database's time. The table refuses every other change. Held
 * until the transaction ends, the lock makes lines visible in the order of their numbers, so that a
 * reader misses none; taken as the last one of a transaction, it is never part of a deadlock.
 */
export async function writeOperatorLog(tx: Sql, entry: OperatorLogEntry): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${LOG_LOCK})`);
  await tx.query(
    `INSERT INTO operator_log (operator, action, subject, request, outcome, message) VALUES ($1, $2, $3, $4::jsonb, $5, $6)`,
    [entry.operator, entry.action, entry.subject, JSON.stringify(entry.request), entry.outcome, entry.message ?? ''],
  );
}
