import type { Db, Sql, SqlValue } from '../../../src/relayer/db/port.ts';

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/**
 * Carries a statement out.
 * @returns The rows that it read from tables, whether it kept them or not.
 */
export async function rowsReadBy(sql: Sql, text: string, values?: readonly SqlValue[]): Promise<number> {
  const [row] = await sql.query<{ 'QUERY PLAN': unknown }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    values,
  );
  const plan = row?.['QUERY PLAN'];
  const [{ Plan: top }] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [{ Plan: Plan }];
  return rowsRead(top);
}

/**
 * The same by a plan that is made for these values, or once for all values, as a server does after
 * some executions; by way of the indexes, however small the tables are.
 */
export const rowsReadPlanned = (db: Db, plan: 'custom' | 'generic', text: string, values: readonly SqlValue[] = []) =>
  db.transaction(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    await tx.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`);
    await tx.query(`PREPARE planned AS ${text}`);
    const rows = await rowsReadBy(tx, `EXECUTE planned${values.length > 0 ? `(${values.map(literal)})` : ''}`);
    await tx.query('DEALLOCATE planned');
    return rows;
  });

const literal = (value: SqlValue) => `'${Array.isArray(value) ? `{${value}}` : value}'`;

function rowsRead(plan: Plan): number {
  const loops = plan['Actual Loops'] ?? 0;
  const here = plan['Relation Name']
    ? (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    : 0;
  return Math.round(here * loops) + (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), 0);
}
