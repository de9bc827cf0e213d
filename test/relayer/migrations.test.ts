import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrate, migrations } from '../../src/relayer/db/migrate.ts';
import type { Db, SqlValue } from '../../src/relayer/db/port.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { lockEngine } from '../../src/relayer/engine/engineLock.ts';
import { builtRelayer } from './support/builtRelayer.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { admin, createDatabase } from './support/postgresCluster.ts';
import { startRelayer } from './support/startRelayer.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Db;
beforeAll(async () => {
  database = await createDatabase({ migrated: false });
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

/**
 * The migration from which on an engine keeps candles itself, so that they are not made from fills
 * any more.
 */
const CANDLES = migrations.findIndex(({ name }) => name === '0006MarketData') + 1;
/**
 * The first text of `0001Initial`, which was edited before migrations had checksums: it had one
 * index of the books in place of three.
 */
const FIRST_INITIAL = (migrations[0]?.sql ?? '').replace(
  /CREATE INDEX orders_asks [^;]*;\nCREATE INDEX orders_bids [^;]*;\nCREATE INDEX orders_pool [^;]*;/,
  "CREATE INDEX orders_book ON orders (market, side, price, seq) WHERE status = 'processing' AND resting;",
);
/** The migrations that there were when they got checksums. */
const WITHOUT_CHECKSUMS = migrations.findIndex(({ name }) => name === '0005StatusIndexes') + 1;
/** The migrations before the one that gives such a database its indexes. */
const BOOK_INDEXES = migrations.findIndex(({ name }) => name === '0017BookIndexes');
const [HASH, ORDER, NFT] = ['0xhash', '0xorder', '0xnft'];
const money = { amount: 100n, fee_token_id: 0, fee: 1n };

/**
 * One row for each table that holds what people have; columns that a schema does not have yet are
 * left out.
 */
const rows: readonly (readonly [table: string, row: Record<string, SqlValue>])[] = [
  ['settings', { key: 'chain_id', value: '1' }],
  ...[0, 1].map(
    (id) =>
      [
        'tokens',
        {
          ...{
            token_id: id,
            type: 'ERC20',
            symbol: `T${id}`,
            name: '',
            address: `0x${id}`,
            decimals: 18,
            precision: 6,
          },
          ...{ precision_for_order: 6, minimum: 1n, maximum: 9n, dust: 0n, price_micro_usd: 1n, pays_fees: true },
          ...{ enabled: true },
        },
      ] as const,
  ),
  [
    'markets',
    { market: 'T1-T0', base_token_id: 1, quote_token_id: 0, precision_for_price: 6, enabled: true, created_at: 1 },
  ],
  ['accounts', { account_id: 10_001, owner: '0xaa', nonce: 7, created_at: 1 }],
  ['api_keys', { account_id: 10_001, generation: 1, key_hash: 'k', created_at: 1 }],
  ['balances', { account_id: 10_001, token_id: 1, total: 12n, locked: 3n, pending_withdraw: 100n }],
  [
    'ledger',
    { account_id: 10_001, token_id: 32_768, nft_data: NFT, delta: 1n, kind: 'nftMint', ref: HASH, created_at: 1 },
  ],
  ['storage_slots', { account_id: 10_001, token_id: 1, slot: 2, storage_id: 2, ref: ORDER }],
  [
    'orders',
    {
      ...{ hash: ORDER, account_id: 10_001, owner: '0xaa', storage_id: 2, token_s: 1, token_b: 0, amount_s: 200n },
      ...{
        amount_b: 10n,
        fill_by_b: false,
        valid_until: 9,
        max_fee_bips: 20,
        maker_bips: 0,
        taker_bips: 20,
        taker: '',
      },
      ...{ order_type: 'LIMIT_ORDER', channel: 'MIXED', pool_address: '', client_order_id: '', affiliate: '' },
      ...{ market: 'T1-T0', side: 'SELL', price: 5n, filled_s: 100n, filled_b: 5n, locked: 3n, status: 'processing' },
      ...{ digest: 'd', created_at: 1, updated_at: 1 },
    },
  ],
  [
    'fills',
    {
      ...{ market: 'T1-T0', taker_hash: ORDER, taker_account_id: 10_001, maker_account_id: 0, taker_sold: 100n },
      ...{
        taker_bought: 5n,
        taker_fee: 1n,
        maker_fee: 0n,
        block_id: 1,
        index_in_block: 0,
        created_at: 1,
        side: 'SELL',
      },
    },
  ],
  [
    'requests',
    {
      ...{ kind: 'withdrawal', hash: HASH, account_id: 10_001, owner: '0xaa', token_id: 1, ...money, valid_until: 9 },
      ...{ status: 'processed', digest: 'd', block_id: 1, index_in_block: 0, created_at: 1, updated_at: 1 },
    },
  ],
  ['nft_contracts', { address: '0xbb', factory: '', owner: '0xaa', base_uri: '', status: 'DEPLOYING', updated_at: 0 }],
  [
    'nfts',
    {
      ...{ nft_data: NFT, minter: '0xaa', nft_type: 0, token_address: '0xbb', nft_id: '0x1', creator_fee_bips: 0 },
      ...{ royalty_address: '', created_at: 1, minted: true },
    },
  ],
  ['nft_slots', { account_id: 10_001, token_id: 32_768, nft_data: NFT }],
  ['blocks', { block_id: 1, status: 'pending', size: 1, tx_hash: '0xb', created_at: 0, status_at: 0 }],
  ['block_transactions', { block_id: 1, index_in_block: 0, tx_type: 'Withdraw', data: '{}' }],
];

async function fill(): Promise<void> {
  for (const [table, row] of rows) {
    const known = await db.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
      [table],
    );
    const columns = Object.keys(row).filter((column) => known.some(({ name }) => name === column));
    await db.query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
      columns.map((column) => row[column] as SqlValue),
    );
  }
}

/** The newest row of each table that `fill` writes. */
async function contents(): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const [table, row] of rows) {
    const [key = ''] = Object.keys(row);
    const [first] = await db.query(`SELECT * FROM ${table} WHERE ${key} = $1`, [row[key] as SqlValue]);
    if (!first) throw new Error(`${table} lost its row`);
    found.set(table, first);
  }
  return found;
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
        await fill();
        const before = await contents();
        await migrate(db);
        expect(await schema()).toEqual(fresh);
        // Every row is there with everything that it had.
        const after = await contents();
        for (const [table, { deploy_tx_hash, ...row }] of before) {
          expect(after.get(table), table).toMatchObject(row);
          // The one column that moved, to `l1_deployments`.
          if (table !== 'nft_contracts') expect(deploy_tx_hash).toBeUndefined();
        }
        expect(after.get('fills')).toMatchObject({ side: 'SELL' });
        expect(after.get('nfts')).toMatchObject({ minted: true });
        expect(after.get('requests')).toMatchObject({ payout_failure: '' });
        if (applied < CANDLES)
          expect(await db.query('SELECT DISTINCT trades, base_volume, quote_volume FROM candles')).toEqual([
            { trades: 1, base_volume: 100n, quote_volume: 5n },
          ]);
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

  it(
    'lead to it from the first text of the first one too, whose databases were taken at their word',
    async () => {
      await migrate(db);
      const fresh = await schema();
      const texts = [{ name: '0001Initial', sql: FIRST_INITIAL }, ...migrations.slice(1)];
      const checksum = createHash('sha256')
        .update(migrations[0]?.sql ?? '')
        .digest('hex');
      for (const applied of [1, WITHOUT_CHECKSUMS, BOOK_INDEXES]) {
        await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
        await migrate(db, texts.slice(0, applied));
        await fill();
        const before = await contents();
        // A later version has given the first migration its checksum, or there are none yet.
        if (applied > WITHOUT_CHECKSUMS)
          await db.query(`UPDATE migrations SET checksum = $1 WHERE name = '0001Initial'`, [checksum]);
        else await db.script('ALTER TABLE migrations DROP COLUMN checksum');
        expect(await schema()).not.toContainEqual(expect.stringContaining('INDEX orders_asks'));
        await migrate(db);
        expect(await schema()).toEqual(fresh);
        const after = await contents();
        for (const table of ['orders', 'fills', 'balances'])
          expect(after.get(table), table).toMatchObject(before.get(table) ?? {});
      }
    },
    START_TIMEOUT_MS,
  );

  it('keep their texts: a database refuses the start of a version that edited one', () => {
    const texts = migrations.map(({ name, sql }) => `${name} ${createHash('sha256').update(sql).digest('hex')}`);
    expect(texts.map((text) => text.replace(/(\S{12})\S+$/, '$1'))).toMatchInlineSnapshot(`
      [
        "0001Initial 658c4320c683",
        "0002L1Deployments 52f31921e71b",
        "0003ClientRates 5685776e09ad",
        "0004MintedNfts 8896fa8063e1",
        "0005StatusIndexes 8498f3096204",
        "0006MarketData 5ecc7dad6cd8",
        "0007FastWithdrawals b330f4c7d7b2",
        "0008Operator 031c7865f5ed",
        "0009BookLevels 4c7503f688fb",
        "0010Payouts ca5eefd7ed7c",
        "0011SuspendedAccounts 7ee4807eb5ec",
        "0012Archive c4adfb737a69",
        "0013NftOrders 65d04b651ecc",
        "0014Rollup 09b9657831e7",
        "0015AccountChanges 4bd0cf9d1e45",
        "0016MintSlots 33024a4cb7a8",
        "0017BookIndexes 190b505902dc",
        "0018NamedOrders 832466ce4993",
        "0019PoolTrades 6ea81eeb38e1",
        "0020ArchivedOrders 52ee16fe0e2d",
        "0021CoarseLevels 520fd8f2f2cd",
        "0022PoolOrders 3337587660cd",
        "0023LedgerSlots c9d692361099",
        "0024ChangedBalances 008d4a15bd48",
      ]
    `);
  });

  it('need no right but a database of their own, and nor does a relayer', { timeout: START_TIMEOUT_MS }, async () => {
    const own = await createDatabase({ migrated: false });
    const url = new URL(own.url);
    const name = url.pathname.slice(1);
    url.username = `${name}_owner`;
    await admin(own.url, `CREATE ROLE ${url.username} LOGIN`);
    onTestFinished(async () => {
      await own.drop();
      await admin(database.url, `DROP ROLE ${url.username}`);
    });
    await admin(own.url, `ALTER DATABASE ${name} OWNER TO ${url.username}`);
    const relayer = await startRelayer({ databaseUrl: url.href });
    onTestFinished(() => relayer.close());
    await relayer.account();
    await relayer.block();
  });

  it('do not begin in a database whose encoding lacks letters', async () => {
    const url = new URL(database.url);
    url.pathname += '_latin';
    const name = url.pathname.slice(1);
    await admin(database.url, `CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0`);
    const latin = await openPostgres(url.href, 2);
    onTestFinished(async () => {
      await latin.close();
      await admin(database.url, `DROP DATABASE ${name}`);
    });
    await expect(migrate(latin)).rejects.toThrow('the database has the encoding LATIN1, not UTF8');
    expect(await latin.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });

  it('have no time limit but for the locks of tables', async () => {
    const sql = `CREATE TABLE limits AS
      SELECT current_setting('statement_timeout') AS run, current_setting('lock_timeout') AS wait`;
    await migrate(db, [{ name: '0001Limits', sql }]);
    expect(await db.query('SELECT run, wait FROM limits')).toEqual([{ run: '0', wait: '3s' }]);
  });

  it('change nothing while another transaction, such as a dump, holds a table, and hold up nobody for longer', async () => {
    const before = migrations.slice(0, -1);
    const list = [...before, { name: '9999Tomorrow', sql: 'ALTER TABLE orders ADD COLUMN of_tomorrow text' }];
    await migrate(db, before);
    const dump = await openPostgres(database.url, 2);
    onTestFinished(() => dump.close());
    await dump.transaction(async (tx) => {
      await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await tx.query('LOCK TABLE orders IN ACCESS SHARE MODE');
      await expect(migrate(db, list)).rejects.toThrow('nothing was changed: another transaction, such as a dump');
      // Neither the engines nor anybody else waits behind it any more.
      await db.transaction(lockEngine);
      await db.query('DELETE FROM orders');
    }, 'maintenance');
    await migrate(db, list);
    expect(await db.query('SELECT of_tomorrow FROM orders')).toEqual([]);
  });

  it('end with their process, whatever they wait for', { timeout: START_TIMEOUT_MS }, async () => {
    await migrate(db, migrations.slice(0, -1));
    const flags = ['migrate', '--dev', '--dev-on-postgres', '--log-level', 'silent'];
    const main = await builtRelayer();
    await db.transaction(async (tx) => {
      await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await lockEngine(tx);
      const child = spawn(process.execPath, [main, ...flags], {
        env: { ...process.env, DATABASE_URL: database.url },
        stdio: 'ignore',
      });
      const waiting = async () =>
        (
          await tx.query(
            `SELECT 1 FROM pg_locks WHERE NOT granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          )
        ).length;
      await expect.poll(waiting).toBe(1);
      child.kill('SIGKILL');
      await expect.poll(waiting).toBe(0);
    }, 'maintenance');
  });

  it('wait for the step of an engine that is in progress', async () => {
    await migrate(db, migrations.slice(0, -1));
    const other = await openPostgres(database.url, 2);
    // Fresh connections: one that prepared a statement before a migration is refused it, and the
    // transaction would begin anew.
    const engine = await openPostgres(database.url, 2);
    let migrating: Promise<void> | undefined;
    try {
      await engine.transaction(async (tx) => {
        await lockEngine(tx);
        migrating = migrate(other);
        const isWaiting = async () => {
          const [row] = await tx.query<{ waits: boolean }>(
            `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
               AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS waits`,
          );
          return row?.waits;
        };
        const failed = migrating.then(() => {
          throw new Error('the migration did not wait');
        });
        await Promise.race([failed, expect.poll(isWaiting).toBe(true)]);
        // An engine reads this table in its steps: it must not wait for who waits for it.
        await tx.query('SET LOCAL lock_timeout = 300');
        expect(await tx.query('SELECT name FROM migrations')).toHaveLength(migrations.length - 1);
      }, 'maintenance');
      await migrating;
      expect(await db.query('SELECT name FROM migrations')).toHaveLength(migrations.length);
    } finally {
      await Promise.all([other.close(), engine.close()]);
    }
  });
});
