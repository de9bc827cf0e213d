import type { Sql } from '../db/port.ts';

export type ChangedBalance = readonly [accountId: number, tokenId: number];

/** Balances and orders changed by transactions that earlier polls did not see. */
export interface AccountChanges {
  /** Snapshot from which the next poll begins. */
  readonly snapshot: string;
  /** The database's clock, ms. */
  readonly at: number;
  /** Of the accounts that were asked for. */
  readonly balances: readonly ChangedBalance[];
  /** Numbers of changed orders, of whatever account. */
  readonly orders: readonly number[];
}

/** How long changes are kept, ms: a process that did not poll for longer has lost some. */
export const CHANGES_KEPT_MS = 300_000;

/**
 * Reads the changes since a snapshot. What a poll returns is exactly what no poll before it saw, in
 * whatever order transactions began and ended: a row counts as seen when its transaction was
 * visible, and had begun. After a crash or failover PostgreSQL gives the number of a transaction
 * that left nothing on the disk to another one.
 * @param since - The poll before; without it nothing but a beginning is read.
 */
export async function readAccountChanges(
  sql: Sql,
  since: Pick<AccountChanges, 'snapshot' | 'at'> | undefined,
  accounts: readonly number[],
): Promise<AccountChanges> {
  const [row] = await sql.query<{
    snapshot: string;
    at: number;
    balances: ChangedBalance[] | null;
    orders: number[] | null;
  }>(
    `WITH fresh AS MATERIALIZED (
       SELECT accounts, tokens, orders FROM account_changes
       WHERE $1::text <> '' AND (changed_at > to_timestamp($3::bigint / 1000.0)
         OR (changed_by >= pg_snapshot_xmin(nullif($1, '')::pg_snapshot)
           AND NOT pg_visible_in_snapshot(changed_by, nullif($1, '')::pg_snapshot))))
     SELECT pg_current_snapshot()::text AS snapshot, ceil(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at,
       (SELECT json_agg(DISTINCT jsonb_build_array(account_id, token_id))
        FROM fresh, unnest(fresh.accounts, fresh.tokens) AS changed (account_id, token_id)
        WHERE account_id = ANY($2::bigint[])) AS balances,
       (SELECT json_agg(DISTINCT seq) FROM fresh, unnest(fresh.orders) AS seq) AS orders`,
    [since?.snapshot ?? '', accounts, since?.at ?? 0],
  );
  if (!row) throw new Error('the database gave no snapshot');
  return { snapshot: row.snapshot, at: row.at, balances: row.balances ?? [], orders: row.orders ?? [] };
}

/** Forgets changes that every process has read, or never will. */
export async function forgetAccountChanges(sql: Sql): Promise<void> {
  await sql.query(
    `DELETE FROM account_changes WHERE changed_at < now() - ${CHANGES_KEPT_MS} * interval '1 millisecond'`,
  );
}
