import type { Sql, SqlValue } from '../db/port.ts';

/**
 * Inserts one row and reads it back.
 * @param values - By the names of the columns, which are our own texts.
 * @param otherwise - What happens to a row that is there already: `ON CONFLICT … DO UPDATE …`.
 */
export async function insertRow<Row>(
  sql: Sql,
  table: string,
  values: Readonly<Record<string, SqlValue>>,
  otherwise = '',
): Promise<Row> {
  const names = Object.keys(values);
  const [row] = await sql.query<Row>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_name, index) => `$${index + 1}`).join(', ')})
     ${otherwise} RETURNING *`,
    Object.values(values),
  );
  if (!row) throw new Error(`a row of ${table} that was just inserted is missing`);
  return row;
}
