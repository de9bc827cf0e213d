import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/relayer/config.ts';
import { expectNewestSchema, migrate, migrations } from '../../src/relayer/db/migrate.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { applySettings, expectSettings } from '../../src/relayer/engine/deployment.ts';
import { auditBlocks, replayDatabase } from './support/auditBlocks.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer } from './support/startRelayer.ts';
import { LRC_ETH_POOL } from './support/testAccount.ts';
import { ether } from './support/tokens.ts';

/**
 * The contents of a database of the schema before blocks had bytes, after everything of
 * `support/everyTransaction.ts`.
 */
const KEPT = readFileSync(new URL('./kept/schema12.sql', import.meta.url), 'utf8');
const BEFORE = migrations.findIndex(({ name }) => name === '0014Rollup');

describe('a database whose blocks have no bytes', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let db: Db;
  beforeAll(async () => {
    database = await createDatabase({ migrated: false });
    db = await openPostgres(database.url, 2);
    await migrate(db, migrations.slice(0, BEFORE));
    await db.script(`BEGIN; SET LOCAL session_replication_role = replica; ${KEPT} COMMIT;`);
    // What was open when the database was kept is open whenever the test runs.
    await db.query('UPDATE orders SET valid_until = $1', [Math.floor(Date.now() / 1000) + 3600]);
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  const ledger = () =>
    db.query('SELECT account_id, token_id, total, locked FROM balances ORDER BY account_id, token_id');

  it(
    'gets a state with every balance, nonce and key, and goes on from there',
    async () => {
      const balances = await ledger();
      expect(balances.length).toBeGreaterThan(20);
      const [nonces] = await db.query<{ most: number }>('SELECT max(nonce) AS most FROM accounts');
      expect(nonces?.most).toBe(2);
      const shares = await db.query<{ lp_supply: bigint }>('SELECT lp_supply FROM amm_pools ORDER BY account_id');
      const [waiting] = await db.query<{ n: number }>(`SELECT count(*) AS n FROM requests WHERE status = 'received'`);
      expect(waiting?.n).toBe(1);
      const config = readConfig({ dev: true });
      await expect(expectNewestSchema(db)).rejects.toThrow('0014Rollup is missing');
      const others = migrate(db, migrations, (tx) => expectSettings(tx, { ...config, chainId: 5 }));
      await expect(others).rejects.toThrow('chainId: 31337 in the database, 5 given');
      expect(await db.query('SELECT name FROM migrations')).toHaveLength(BEFORE);
      await migrate(db, migrations, (tx) => expectSettings(tx, config));
      await applySettings(db, config, 1);
      expect(await auditBlocks(db)).toEqual([]);
      // Nobody has more or less than before, but for the LP tokens that the pools hold now.
      const after = await ledger();
      expect(after).toEqual(expect.arrayContaining(balances));
      expect(after).toHaveLength(balances.length + shares.length);

      // Again changes nothing.
      const blocks = await db.query('SELECT block_id, size, status FROM blocks ORDER BY block_id');
      await applySettings(db, readConfig({ dev: true }), 2);
      expect(await db.query('SELECT block_id, size, status FROM blocks ORDER BY block_id')).toEqual(blocks);

      const test = await startRelayer({ databaseUrl: database.url });
      try {
        await test.block();
        const { body: pools } = await test.call('GET', '/api/v3/amm/balances');
        expect(pools[0].lp).toEqual({ tokenId: LRC_ETH_POOL.lp, volume: String(shares[0]?.lp_supply) });
        const alice = await test.account();
        await alice.post('/api/v3/amm/join', await alice.join(LRC_ETH_POOL, [15_000n * ether, ether]));
        const buying = await alice.order([0, ether / 10n], [1, 900n * ether]);
        expect((await alice.submit(buying)).status).toBe(200);
        await test.block();
        expect((await alice.balance(LRC_ETH_POOL.lp)).total > 0n).toBe(true);
        // It met an order that was open, and partly filled, before.
        const [older] = await db.query<{ n: number }>('SELECT count(*) AS n FROM fills WHERE taker_account_id = $1', [
          alice.accountId,
        ]);
        expect(older?.n).toBe(1);
        expect(await auditBlocks(db)).toEqual([]);
        expect((await replayDatabase(db)).account(1).nonce).toBeGreaterThan(0);
      } finally {
        await test.close();
      }
    },
    START_TIMEOUT_MS,
  );
});
