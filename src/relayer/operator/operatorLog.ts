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

/** Appends to the audit log, at the database's time. The table refuses every other change. */
export async function writeOperatorLog(sql: Sql, entry: OperatorLogEntry): Promise<void> {
  await sql.query(
    `INSERT INTO operator_log (operator, action, subject, request, outcome, message) VALUES ($1, $2, $3, $4::jsonb, $5, $6)`,
    [entry.operator, entry.action, entry.subject, JSON.stringify(entry.request), entry.outcome, entry.message ?? ''],
  );
}
