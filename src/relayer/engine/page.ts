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

/** Rows of an account: a table or a select with its name, and the column that holds the account. */
export type Source = readonly [from: string, column: string];

/** Hides from the planner which account it is: the plan is the same for all. */
const ACCOUNT = '(SELECT $1::bigint)';

/**
 * One page of an account's rows and the number of them all, up to {@link MOST_COUNTED}. Conditions
 * and order are our own texts, values are bound.
 *
 * Each source is read in the order of an index that begins with its column. By an equality with an
 * account that has many rows, or by an `OR` of two columns, the planner would instead read the rows
 * of all accounts from the newest on, and so all that others did since.
 * @param order - a column; or SQL that is in no index, so that all matching rows are read and then
 *   sorted.
 */
export async function page<Row>(
  sql: Sql,
  sources: readonly Source[],
  accountId: number,
  conditions: readonly Condition[],
  [order, direction]: readonly [string, 'ASC' | 'DESC'],
  { limit = DEFAULT_LIMIT, offset = 0 }: Paging,
): Promise<{ totalNum: number; rows: Row[] }> {
  const values: SqlValue[] = [accountId];
  const where = conditions
    .filter(([, value]) => value !== undefined)
    .map(([condition, value]) => {
      values.push(value as SqlValue);
      return ` AND (${condition.replaceAll('?', `$${values.length}`)})`;
    })
    .join('');
  const read = (columns: string, most: string) =>
    sources
      .map(
        ([from, column]) => `(SELECT ${columns} FROM ${from} WHERE ${column} BETWEEN ${ACCOUNT} AND ${ACCOUNT}${where}
         ORDER BY ${column} ${direction}, ${order} ${direction} LIMIT ${most})`,
      )
      .join(' UNION ALL ');
  const [count] = await sql.query<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT FROM (${read('1', `${MOST_COUNTED}`)}) AS found LIMIT ${MOST_COUNTED}) AS counted`,
    values,
  );
  const next = values.length + 1;
  const rows = await sql.query<Row>(
    `SELECT * FROM (${read('*', `$${next}`)}) AS found
     ORDER BY ${order} ${direction} LIMIT $${next + 1} OFFSET $${next + 2}`,
    [...values, offset + limit, limit, offset],
  );
  return { totalNum: count?.n ?? 0, rows };
}
