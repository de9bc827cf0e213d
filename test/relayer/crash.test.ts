import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPglite } from '../../src/relayer/db/pglite.ts';
import { openPostgres } from '../../src/relayer/db/postgres.ts';
import { auditDatabase } from './support/audit.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { exited, startProcess } from './support/relayerProcess.ts';
import { callerOf, TestAccount } from './support/testAccount.ts';
import { ether } from './support/tokens.ts';

const stores = [
  {
    name: 'PGlite',
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
      return {
        environment: { RELAYER_DATA_DIR: folder },
        db: () => openPglite(folder),
        drop: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const database = await createDatabase();
      return {
        environment: { DATABASE_URL: database.url },
        db: () => openPostgres(database.url),
        drop: database.drop,
      };
    },
  },
];

describe.each(stores)('a relayer that is killed on $name', ({ open }) => {
  let running: ChildProcess | undefined;
  afterEach(() => running?.kill('SIGKILL'));

  it(
    'has every request that it acknowledged, and no half of any other',
    async () => {
      const store = await open();
      const acknowledged: string[] = [];
      let account: TestAccount | undefined;
      for (let round = 0; round < 3; round++) {
        const { url, process: child } = await startProcess(store.environment);
        running = child;
        const { body: info } = await callerOf(url)('GET', '/api/v3/exchange/info');
        const place = { url, exchange: info.exchangeAddress, chainId: info.chainId };
        if (!account) {
          account = await new TestAccount(place).faucet();
          const alice = account;
          await alice.activate();
        } else account = account.at(place);
        const alice = account;
        const first = (await alice.get('/api/v3/storageId', { sellTokenId: 1, maxNext: true })).body;
        const validUntil = await alice.inSeconds(3600);
        let sent = 0;
        const sender = async (lane: number) => {
          for (let n = lane; n < 400; n += 4) {
            const order = await alice.order([1, 5n * ether], [0, ether], {
              storageId: first.orderId + 2 * n,
              validUntil,
            });
            const transfer = await alice.transfer(info.depositAddress, [1, ether / 10n], {
              storageId: first.offchainId + 2 * n,
              validUntil,
            });
            try {
              const replies = await Promise.all([alice.submit(order), alice.post('/api/v3/transfer', transfer)]);
              for (const reply of replies) if (reply.status === 200) acknowledged.push(reply.body.hash);
            } catch {
              return;
            }
            sent += 1;
            if (sent === 12) child.kill('SIGKILL');
          }
        };
        await Promise.all([0, 1, 2, 3].map(sender));
        await exited(child);
      }
      const db = await store.db();
      const kept = new Set(
        (await db.query<{ hash: string }>('SELECT hash FROM orders UNION ALL SELECT hash FROM requests')).map(
          (row) => row.hash,
        ),
      );
      const problems = await auditDatabase(db);
      await db.close();
      await store.drop();
      expect(acknowledged.length).toBeGreaterThan(60);
      expect(acknowledged.filter((hash) => !kept.has(hash))).toEqual([]);
      expect(problems).toEqual([]);
    },
    START_TIMEOUT_MS,
  );
});
