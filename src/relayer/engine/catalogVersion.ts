import type { Sql } from '../db/port.ts';

/** Counts changes of tokens, markets and pools, so that every process reads them again. */
export async function changeCatalog(tx: Sql): Promise<void> {
  await tx.query(
    `INSERT INTO settings (key, value) VALUES ('catalog_version', '1')
     ON CONFLICT (key) DO UPDATE SET value = (settings.value::bigint + 1)::text`,
  );
}

export async function catalogVersion(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ value: string }>(`SELECT value FROM settings WHERE key = 'catalog_version'`);
  return row?.value ?? '0';
}
