import type { Sql, SqlValue } from '../../../src/relayer/db/port.ts';

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

function rowsRead(plan: Plan): number {
  const loops = plan['Actual Loops'] ?? 0;
  const here = plan['Relation Name']
    ? (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
    : 0;
  return Math.round(here * loops) + (plan.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), 0);
}
