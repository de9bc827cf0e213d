import { initial } from './migrations/0001Initial.ts';
import { l1Deployments } from './migrations/0002L1Deployments.ts';
import { clientRates } from './migrations/0003ClientRates.ts';
import { mintedNfts } from './migrations/0004MintedNfts.ts';
import { statusIndexes } from './migrations/0005StatusIndexes.ts';
import type { Db } from './port.ts';

/** In order; a released migration is never edited, a change is a new one at the end. */
const migrations: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001Initial', sql: initial },
  { name: '0002L1Deployments', sql: l1Deployments },
  { name: '0003ClientRates', sql: clientRates },
  { name: '0004MintedNfts', sql: mintedNfts },
  { name: '0005StatusIndexes', sql: statusIndexes },
];

/** Any fixed number: processes that start together migrate one after another. */
const MIGRATION_LOCK = 727_001;

/** Brings the database to the newest schema. Safe when several processes start together. */
export async function migrate(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await tx.query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)');
    const done = new Set((await tx.query<{ name: string }>('SELECT name FROM migrations')).map((row) => row.name));
    for (const { name, sql } of migrations) {
      if (done.has(name)) continue;
      for (const statement of sql.split(/;\s*\n/)) if (statement.trim()) await tx.query(statement);
      await tx.query('INSERT INTO migrations (name, applied_at) VALUES ($1, now())', [name]);
    }
  }, 'maintenance');
}
