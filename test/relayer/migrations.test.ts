import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate, migrations } from '../../src/relayer/db/migrate.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await createDatabase();
  db = await openPostgres(database.url, 2);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public'));

/** Every column, index and constraint, by its definition. */
async function schema(): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS line
       FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

describe('migrations', () => {
  it(
    'lead from every earlier schema, with data in it, to the one of a new database',
    async () => {
      await migrate(db);
      const fresh = await schema();
      expect(fresh.length).toBeGreaterThan(100);
      for (let applied = 1; applied < migrations.length; applied++) {
        await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
        await migrate(db, migrations.slice(0, applied));
        await db.query(`INSERT INTO accounts (account_id, owner, created_at) VALUES (10001, '0xaa', 0)`);
        await db.query(
          `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
         VALUES ('0xbb', '', '0xaa', '', 'DEPLOYING', 0)`,
        );
        await db.query(
          `INSERT INTO blocks (block_id, status, size, created_at, status_at) VALUES (1, 'pending', 0, 0, 0)`,
        );
        await migrate(db);
        expect(await schema()).toEqual(fresh);
        expect(await db.query('SELECT owner FROM accounts')).toEqual([{ owner: '0xaa' }]);
      }
    },
    START_TIMEOUT_MS,
  );

  it(
    'refuse what a newer version did, and a migration that was edited; old databases get checksums',
    async () => {
      await migrate(db);
      await db.query('UPDATE migrations SET checksum = NULL');
      await migrate(db);
      expect(await db.query('SELECT name FROM migrations WHERE checksum IS NULL')).toEqual([]);
      const [first, ...rest] = migrations;
      const edited = [{ name: first?.name ?? '', sql: `${first?.sql} ` }, ...rest];
      await expect(migrate(db, edited)).rejects.toThrow('0001Initial was edited');
      await db.query(`INSERT INTO migrations (name, applied_at) VALUES ('9999Later', now())`);
      await expect(migrate(db)).rejects.toThrow('changed by a newer version (9999Later)');
    },
    START_TIMEOUT_MS,
  );

  it('have no time limit and wait for each other without one', async () => {
    const limits = await db.transaction(
      (tx) => tx.query(`SELECT current_setting('statement_timeout') AS run, current_setting('lock_timeout') AS wait`),
      'maintenance',
    );
    expect(limits).toEqual([{ run: '0', wait: '0' }]);
  });
});
