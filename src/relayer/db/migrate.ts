import { createHash } from 'node:crypto';
import { lockEngine } from '../engine/engineLock.ts';
import { initial } from './migrations/0001Initial.ts';
import { l1Deployments } from './migrations/0002L1Deployments.ts';
import { clientRates } from './migrations/0003ClientRates.ts';
import { mintedNfts } from './migrations/0004MintedNfts.ts';
import { statusIndexes } from './migrations/0005StatusIndexes.ts';
import { marketData } from './migrations/0006MarketData.ts';
import { fastWithdrawals } from './migrations/0007FastWithdrawals.ts';
import { operator } from './migrations/0008Operator.ts';
import { bookLevels } from './migrations/0009BookLevels.ts';
import { payouts } from './migrations/0010Payouts.ts';
import { suspendedAccounts } from './migrations/0011SuspendedAccounts.ts';
import { archive } from './migrations/0012Archive.ts';
import { nftOrders } from './migrations/0013NftOrders.ts';
import { rollup } from './migrations/0014Rollup.ts';
import { accountChanges } from './migrations/0015AccountChanges.ts';
import { mintSlots } from './migrations/0016MintSlots.ts';
import { bookIndexes } from './migrations/0017BookIndexes.ts';
import { namedOrders } from './migrations/0018NamedOrders.ts';
import { poolTrades } from './migrations/0019PoolTrades.ts';
import { archivedOrders } from './migrations/0020ArchivedOrders.ts';
import { coarseLevels } from './migrations/0021CoarseLevels.ts';
import { poolOrders } from './migrations/0022PoolOrders.ts';
import { ledgerSlots } from './migrations/0023LedgerSlots.ts';
import { changedBalances } from './migrations/0024ChangedBalances.ts';
import { type Db, type Sql, sqlState } from './port.ts';

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** In order; a released migration is never edited, a change is a new one at the end. */
export const migrations: readonly Migration[] = [
  { name: '0001Initial', sql: initial },
  { name: '0002L1Deployments', sql: l1Deployments },
  { name: '0003ClientRates', sql: clientRates },
  { name: '0004MintedNfts', sql: mintedNfts },
  { name: '0005StatusIndexes', sql: statusIndexes },
  { name: '0006MarketData', sql: marketData },
  { name: '0007FastWithdrawals', sql: fastWithdrawals },
  { name: '0008Operator', sql: operator },
  { name: '0009BookLevels', sql: bookLevels },
  { name: '0010Payouts', sql: payouts },
  { name: '0011SuspendedAccounts', sql: suspendedAccounts },
  { name: '0012Archive', sql: archive },
  { name: '0013NftOrders', sql: nftOrders },
  { name: '0014Rollup', sql: rollup },
  { name: '0015AccountChanges', sql: accountChanges },
  { name: '0016MintSlots', sql: mintSlots },
  { name: '0017BookIndexes', sql: bookIndexes },
  { name: '0018NamedOrders', sql: namedOrders },
  { name: '0019PoolTrades', sql: poolTrades },
  { name: '0020ArchivedOrders', sql: archivedOrders },
  { name: '0021CoarseLevels', sql: coarseLevels },
  { name: '0022PoolOrders', sql: poolOrders },
  { name: '0023LedgerSlots', sql: ledgerSlots },
  { name: '0024ChangedBalances', sql: changedBalances },
];

/** Any fixed number: processes that start together migrate one after another. */
const MIGRATION_LOCK = 727_001;

const checksumOf = ({ sql }: Migration) => createHash('sha256').update(sql).digest('hex');

/** A migration waits this long for one table at most: whoever comes later waits behind it. */
const TABLE_LOCK = '3s';
/**
 * Lets the server look each second whether the client is still there, so that a statement without a
 * limit ends with its process. Servers on other systems refuse the setting.
 */
const CHECK_CLIENT = `SELECT set_config('client_connection_check_interval', '1000', true)
  WHERE version() LIKE '%linux%'`;

/** Other encodings lack letters that people write, and refuse each text that has one. */
async function expectUtf8(tx: Sql): Promise<void> {
  const [row] = await tx.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
  if (row?.encoding === 'UTF8') return;
  throw new Error(
    `the database has the encoding ${row?.encoding}, not UTF8; make another one with ` +
      '"createdb --encoding=UTF8 --template=template0"',
  );
}

/**
 * Brings the database to the newest schema, or leaves it as it was. Safe when several processes
 * start together, and without a time limit but for locks on tables.
 * @param expect - sees the new schema of a database that had an older one; what it throws takes the
 *   migration back.
 * @throws {Error} A newer version changed the database, a migration was edited after it was
 *   applied, another transaction holds a table, or a new database is not in UTF8.
 */
export async function migrate(
  db: Pick<Db, 'transaction'>,
  list: readonly Migration[] = migrations,
  expect?: (tx: Sql) => Promise<unknown>,
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await tx.query(CHECK_CLIENT);
      await tx.query(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      const done = await appliedOf(tx, list);
      if (list.every(({ name }) => done.get(name))) return;
      if (done.size === 0) await expectUtf8(tx);
      // No engine is in the middle of a step while tables change under it.
      await lockEngine(tx);
      await tx.query(`SET LOCAL lock_timeout = '${TABLE_LOCK}'`);
      await tx.query('CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL)');
      const [checksums] = await tx.query(
        `SELECT 1 FROM pg_attribute WHERE attrelid = 'migrations'::regclass AND attname = 'checksum'`,
      );
      // Only where it is missing: this locks out whoever reads the table.
      if (checksums === undefined) await tx.query('ALTER TABLE migrations ADD COLUMN checksum text');
      for (const migration of list) await apply(tx, migration, done);
      if (done.size > 0) await expect?.(tx);
    }, 'maintenance');
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    throw new Error(
      'nothing was changed: another transaction, such as a dump, holds a table that the migration changes; ' +
        'try again when it has ended',
      { cause: error },
    );
  }
}

/**
 * The schema for a start: that of a new or an embedded database is made or brought up to date. The
 * other processes of a server may be of an older version, so there only `migrate` does that.
 * @throws {Error} As `migrate` and `expectNewestSchema`.
 */
export async function openSchema(db: Db): Promise<void> {
  const isOwn = db.kind === 'pglite' || (await appliedOf(db, migrations)).size === 0;
  await (isOwn ? migrate(db) : expectNewestSchema(db));
}

/**
 * Checks that the database has the schema of this version, and changes nothing: a migration takes
 * running processes of the older version out of service.
 * @throws {Error} Migrations are missing or were edited, or a newer version changed the database.
 */
export async function expectNewestSchema(sql: Sql): Promise<void> {
  const done = await appliedOf(sql, migrations);
  const missing = migrations.find(({ name }) => !done.has(name));
  if (missing)
    throw new Error(
      `the schema is older than this version (${missing.name} is missing); with the same settings, ` +
        '"npm run relayer -- migrate" (in a release "node relayer.mjs migrate") brings it up to date, ' +
        'which takes running processes of the older version out of service',
    );
}

/**
 * Names and checksums of what the database got; a database of the time before checksums has `null`.
 * @throws {Error} A newer version changed it, or a migration was edited after it was applied.
 */
async function appliedOf(sql: Sql, list: readonly Migration[]): Promise<ReadonlyMap<string, string | null>> {
  const [table] = await sql.query<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  const rows = table?.exists
    ? await sql.query<{ name: string; checksum: string | null }>(
        `SELECT name, to_jsonb(migrations) ->> 'checksum' AS checksum FROM migrations`,
      )
    : [];
  for (const { name, checksum } of rows) {
    const migration = list.find((known) => known.name === name);
    if (!migration) throw new Error(`the database was changed by a newer version (${name}); start that one`);
    if (checksum !== null && checksum !== checksumOf(migration))
      throw new Error(`the migration ${name} was edited after the database got it`);
  }
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Whether a newer version has changed the database since this process started. */
export async function isSchemaNewer(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ newer: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM migrations WHERE name <> ALL($1::text[])) AS newer',
    [migrations.map(({ name }) => name)],
  );
  return row?.newer === true;
}

async function apply(tx: Sql, migration: Migration, done: ReadonlyMap<string, string | null>): Promise<void> {
  const { name, sql } = migration;
  const before = done.get(name);
  if (before) return;
  const checksum = checksumOf(migration);
  // Databases of the time before checksums are taken at their word: the one text that was edited
  // then is `0001Initial`, and `0017BookIndexes` adds what its first text lacked.
  if (before === null) {
    await tx.query('UPDATE migrations SET checksum = $2 WHERE name = $1', [name, checksum]);
    return;
  }
  for (const statement of sql.split(/;\s*\n/)) if (statement.trim()) await tx.query(statement);
  await tx.query('INSERT INTO migrations (name, applied_at, checksum) VALUES ($1, now(), $2)', [name, checksum]);
}
