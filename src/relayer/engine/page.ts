import { DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET, splitList } from '../../protocol/fields.ts';
import type { Sql, SqlValue } from '../db/port.ts';

/** A condition with one `?`, and its value; left out when the value is undefined. */
export type Condition = readonly [condition: string, value: SqlValue | undefined];

/** The entries of a filter, where there is one. */
export const listed = (list: string | undefined): string[] | undefined =>
  list === undefined ? undefined : splitList(list);

interface Paging {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** All that pages reach. Rows beyond are not counted, because each is read to be counted. */
export const MOST_COUNTED = MAX_OFFSET + MAX_LIMIT;

/**
 * One page of a history and the number of all its rows, up to {@link MOST_COUNTED}. Conditions and
 * order are our own texts, values are bound.
 */
export async function page<Row>(
  sql: Sql,
  from: string,
  conditions: readonly Condition[],
  orderBy: string,
  { limit = DEFAULT_LIMIT, offset = 0 }: Paging,
): Promise<{ totalNum: number; rows: Row[] }> {
  const values: SqlValue[] = [];
  const where = conditions
    .filter(([, value]) => value !== undefined)
    .map(([condition, value]) => {
      values.push(value as SqlValue);
      return `(${condition.replaceAll('?', `$${values.length}`)})`;
    })
    .join(' AND ');
  const [count] = await sql.query<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT FROM ${from} WHERE ${where || 'true'} LIMIT ${MOST_COUNTED}) AS counted`,
    values,
  );
  const rows = await sql.query<Row>(
    `SELECT * FROM ${from} WHERE ${where || 'true'} ORDER BY ${orderBy} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, limit, offset],
  );
  return { totalNum: count?.n ?? 0, rows };
}
