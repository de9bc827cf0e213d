import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { admin, createDatabase } from './support/postgresCluster.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let pooler: Awaited<ReturnType<typeof startPgBouncer>>;
beforeAll(async () => {
  database = await createDatabase();
  // Fewer connections than the relayers have, so that each transaction meets those of others.
  pooler = await startPgBouncer(database.url, 4);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await pooler?.stop();
  await database?.drop();
});

const bound = (value: string) =>
  admin(database.url, `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET statement_timeout = '${value}'`);

describe('a relayer behind PgBouncer that pools transactions', () => {
  it('says what to set when it is not told of the pooler, and when its reads have no bound', async () => {
    await expect(openPostgres(pooler.url)).rejects.toThrow('start with --database-pooler');
    await expect(openPostgres(pooler.url, 4, true)).rejects.toThrow(
      "ALTER ROLE <the role of DATABASE_URL> SET statement_timeout = '8s'",
    );
  });

  it(
    'serves two processes on four connections: orders, trades, transfers, withdrawals, every balance accounted for',
    async () => {
      await bound('8s');
      // Connections that the pooler has opened before have no bound.
      await admin(
        database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      );
      const options = { databaseUrl: pooler.url, databasePooler: true, engine: 'timer', engineIntervalMs: 20 } as const;
      const relayers = (await Promise.all([startRelayer(options), startRelayer(options)])) as [
        TestRelayer,
        TestRelayer,
      ];
      try {
        const people = await Promise.all([0, 1, 0, 1].map((n) => (relayers[n] as TestRelayer).account()));
        const answers = await Promise.all(
          people.map(async (account, index) => {
            const payee = people[(index + 1) % people.length] as TestAccount;
            const validUntil = await account.inSeconds(3_600);
            const statuses: number[] = [];
            for (let i = 0; i < 15; i++) {
              const sells = (index + i) % 2 === 0;
              const order = await account.order(
                sells ? [LRC, 100n * ether] : [ETH, ether / 100n],
                sells ? [ETH, ether / 100n] : [LRC, 100n * ether],
                { storageId: 2 * i, validUntil },
              );
              statuses.push((await account.submit(order)).status);
              const transfer = await account.transfer(payee.owner, [LRC, ether], { storageId: 4 * i + 1, validUntil });
              statuses.push((await account.post('/api/v3/transfer', transfer)).status);
              const withdrawal = await account.withdrawal([LRC, ether], { storageId: 4 * i + 3, validUntil });
              statuses.push((await account.post('/api/v3/user/withdrawals', withdrawal)).status);
            }
            return statuses;
          }),
        );
        expect(answers.flat().filter((status) => status !== 200)).toEqual([]);
        for (let round = 0; round < 20; round++) await (relayers[0] as TestRelayer).block();
        const { db } = relayers[0].relayer;
        expect(await auditDatabase(db)).toEqual([]);
        const [row] = await db.query<{ transfers: number; fills: number }>(
          `SELECT (SELECT count(*) FROM requests WHERE kind = 'transfer' AND status = 'processed') AS transfers,
                  (SELECT count(*) FROM fills) AS fills`,
        );
        expect(row?.transfers).toBe(60);
        expect(row?.fills).toBeGreaterThan(10);
      } finally {
        await Promise.all(relayers.map((relayer) => relayer.close()));
      }
    },
    START_TIMEOUT_MS,
  );
});
