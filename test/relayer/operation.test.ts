import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dueWorkQuery } from '../../src/relayer/engine/dueWork.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startProcess } from './support/relayerProcess.ts';
import { startOnPostgres, startRelayer } from './support/startRelayer.ts';
import { ETH, ether, LRC } from './support/tokens.ts';

const MINUTES = 60_000;

/**
 * An L1 node that takes every connection, names its chain and its newest block, and answers nothing
 * else.
 * @param asked - Takes what is asked.
 */
async function hangingNode(asked: (request: string) => void = () => {}): Promise<string> {
  const answers = {
    eth_chainId: '0x7a69',
    eth_getBlockByNumber: { timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}` },
  };
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      asked(text);
      const [, result] = Object.entries(answers).find(([method]) => text.includes(method)) ?? [];
      if (result === undefined) return;
      const body = JSON.stringify({ jsonrpc: '2.0', id: 0, result });
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
    // A caller that gives up may reset its connection.
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe('the clock', () => {
  it(
    'of one process may run two hours ahead: no order expires, no lease lies in the future',
    async () => {
      const database = await createDatabase();
      onTestFinished(database.drop);
      const first = await startRelayer({ databaseUrl: database.url });
      onTestFinished(() => first.close());
      const alice = await first.account();
      const order = await alice.submit(
        await alice.order([LRC, 100n * ether], [ETH, ether], { validUntil: Math.floor(Date.now() / 1000) + 3_600 }),
      );
      expect(order.status).toBe(200);
      await alice.post('/api/v3/user/withdrawals', await alice.withdrawal([LRC, 10n * ether]));
      await first.block();
      const folder = mkdtempSync(join(tmpdir(), 'countersign-skew-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const ahead = join(folder, 'ahead.mjs');
      writeFileSync(ahead, 'const now = Date.now; Date.now = () => now() + 7_200_000;');
      const skewed = await startProcess({ DATABASE_URL: database.url, NODE_OPTIONS: `--import ${ahead}` }, [
        '--dev',
        '--engine-interval-ms',
        '20',
        '--confirm-after-ms',
        '1',
        '--finalize-after-ms',
        '1',
      ]);
      onTestFinished(skewed.kill);
      // Its engine worked: the block moved on and the withdrawal was paid, under the lease.
      await expect
        .poll(() => first.relayer.db.query(`SELECT 1 FROM requests WHERE kind = 'withdrawal' AND tx_hash <> ''`))
        .toHaveLength(1);
      const [row] = await first.relayer.db.query<{ status: string; lease: number }>(
        `SELECT (SELECT status FROM orders), split_part(value, '/', 1)::bigint
           - floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS lease FROM settings WHERE key = 'l1_lease'`,
      );
      expect(row?.status).toBe('processing');
      expect(row?.lease).toBeLessThanOrEqual(30_000);
    },
    START_TIMEOUT_MS,
  );
});

describe('an L1 node that hangs', () => {
  it(
    'stops no orders: the last gas price holds for its time',
    async () => {
      const database = await createDatabase();
      onTestFinished(database.drop);
      const before = await startRelayer({ databaseUrl: database.url });
      const alice = await before.account();
      await before.relayer.db.query(
        `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
         SELECT '0x' || n, '', '', '', 'DEPLOYING', 0 FROM generate_series(1, 3) AS n`,
      );
      await before.relayer.db.query(
        `INSERT INTO l1_deployments (address, request_hash, status, updated_at)
         SELECT address, '', 'WAITING', 0 FROM nft_contracts`,
      );
      await before.close();
      const relayer = await startRelayer({
        databaseUrl: database.url,
        l1Url: await hangingNode(),
        engine: 'timer',
        engineIntervalMs: 20,
        gasPriceMaxAgeMs: 60 * MINUTES,
      });
      onTestFinished(() => relayer.close());
      await relayer.advance(20 * MINUTES);
      const here = alice.at(relayer.place);
      const validUntil = await here.inSeconds(36_000);
      const reply = await here.submit(await here.order([LRC, 100n * ether], [ETH, ether], { validUntil }));
      expect(reply.body.resultInfo).toBeUndefined();
      // Two rounds of the engine end: one that had begun before, and one that knows the order.
      await expect.poll(() => relayer.relayer.db.query('SELECT resting FROM orders')).toEqual([{ resting: true }]);
      await relayer.advance(60 * MINUTES);
      const late = await here.submit(await here.order([LRC, 100n * ether], [ETH, ether], { validUntil }));
      expect(late.body.resultInfo.code).toBe(105001);
    },
    START_TIMEOUT_MS,
  );
});

describe('the end of a relayer', () => {
  it(
    'ends what it asks of an L1 node that hangs, and asks it nothing more',
    async () => {
      const asked = new Set<string>();
      let heard = () => {};
      const first = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const relayer = await startRelayer({
        l1Url: await hangingNode((request) => {
          for (const [address] of request.matchAll(/0x[0-9]{40}/g)) asked.add(address);
          if (asked.size > 0) heard();
        }),
        engine: 'timer',
        engineIntervalMs: 20,
      });
      await relayer.relayer.db.query(
        `INSERT INTO nft_contracts (address, factory, owner, base_uri, status, updated_at)
         SELECT '0x' || lpad(n::text, 40, '0'), '', '', '', 'DEPLOYING', 0 FROM generate_series(1, 9) AS n`,
      );
      await relayer.relayer.db.query(
        `INSERT INTO l1_deployments (address, request_hash, status, updated_at)
         SELECT address, '', 'WAITING', 0 FROM nft_contracts`,
      );
      await first;
      // Half a minute is what one of the nine takes until its last attempt has timed out.
      await relayer.close();
      expect(asked.size).toBe(1);
    },
    START_TIMEOUT_MS,
  );
});

describe('an idle engine', () => {
  it(
    'reads no table of blocks, however long it is',
    async () => {
      const test = await startOnPostgres();
      onTestFinished(() => test.close());
      const { db } = test.relayer;
      await db.query(
        `INSERT INTO blocks (block_id, status, size, created_at, status_at)
         SELECT n, 'finalized', 1, 0, 0 FROM generate_series(1001, 21000) AS n`,
      );
      await db.query('ANALYZE blocks');
      const plan = JSON.stringify(await db.query(`EXPLAIN ${dueWorkQuery('time').replaceAll(/\$\d/g, '0')}`));
      for (const index of ['blocks_open', 'blocks_pending', 'blocks_confirmed']) expect(plan).toContain(index);
      expect(plan).not.toContain('Seq Scan on blocks');
    },
    START_TIMEOUT_MS,
  );
});
