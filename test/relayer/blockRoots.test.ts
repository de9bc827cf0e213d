import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { foldMerkleProof, parseMerkleProof, readSnapshot } from '../../src/protocol/rollup/index.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { auditBlocks } from './support/auditBlocks.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { createDatabase } from './support/postgresCluster.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import { ether, LRC } from './support/tokens.ts';

const TIMER = { engine: 'timer', engineIntervalMs: 50, blockSize: 4, blockAgeMs: 200, confirmAfterMs: 1 } as const;

interface Row {
  block_id: number;
  status: string;
  data: string | null;
  root_before: string | null;
  root_after: string | null;
}

describe('roots of sealed blocks', () => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });
  const start = async (input: Parameters<typeof startRelayer>[0]): Promise<TestRelayer> => {
    const test = await startRelayer(input);
    undo.push(() => test.close());
    return test;
  };
  const sealed = (db: Db) =>
    db.query<Row>(
      `SELECT block_id, status, encode(data, 'hex') AS data, root_before, root_after FROM blocks
       WHERE operator_id IS NOT NULL AND status <> 'open' ORDER BY block_id`,
    );
  /** Until every transaction is in a block with roots. */
  const settled = async (db: Db): Promise<Row[]> => {
    for (;;) {
      const [open] = await db.query(
        `SELECT 1 FROM blocks WHERE operator_id IS NOT NULL AND (status = 'open' AND size > 0 OR status <> 'open' AND data IS NULL)
         UNION ALL SELECT 1 FROM requests WHERE status = 'received'`,
      );
      if (!open) return sealed(db);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const chained = (blocks: readonly Row[]) =>
    blocks.slice(1).every(({ root_before }, index) => root_before === blocks[index]?.root_after);

  it.runIf(process.platform === 'linux')(
    'are made in a thread that gives way to the others',
    async () => {
      /** Threads of this process by their niceness, field 19 of their `stat`. */
      const niceThreads = () =>
        readdirSync('/proc/self/task').filter((thread) => {
          try {
            const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
            return Number(fields.split(' ')[16]) > getPriority();
          } catch {
            // It has ended meanwhile.
            return false;
          }
        });
      // Those of earlier files.
      const before = niceThreads();
      const test = await start(TIMER);
      await test.account();
      await settled(test.relayer.db);
      expect(niceThreads().filter((thread) => !before.includes(thread))).toHaveLength(1);
    },
    START_TIMEOUT_MS,
  );

  it(
    'are made in a thread, also by the next process on the same database',
    async () => {
      const database = await createDatabase();
      undo.push(database.drop);
      const pay = async (test: TestRelayer) => {
        const account = await test.account();
        await account.post('/api/v3/transfer', await account.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
      };
      const first = await start({ databaseUrl: database.url, ...TIMER });
      await pay(first);
      const before = await settled(first.relayer.db);
      await undo.pop()?.();
      const second = await start({ databaseUrl: database.url, ...TIMER });
      await pay(second);
      const after = await settled(second.relayer.db);
      expect(after.length).toBeGreaterThan(before.length);
      expect(after.slice(0, before.length).map(({ data }) => data)).toEqual(before.map(({ data }) => data));
      expect(chained(after)).toBe(true);
      expect(await auditBlocks(second.relayer.db)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'are one chain when two processes make them at the same time',
    async () => {
      const database = await createDatabase();
      undo.push(database.drop);
      const both = [
        await start({ databaseUrl: database.url, ...TIMER }),
        await start({ databaseUrl: database.url, ...TIMER }),
      ] as const;
      await Promise.all(
        both.map(async (test) => {
          const account = await test.account();
          for (let n = 0; n < 5; n++)
            await account.post('/api/v3/transfer', await account.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
          // Moves by hand wait for nobody.
          await Promise.all(both.map(({ relayer }) => relayer.engine.run({ seal: true })));
        }),
      );
      const blocks = await settled(both[0].relayer.db);
      // Two that seal at the same time may seal one block.
      expect(blocks.length).toBeGreaterThan(1);
      expect(chained(blocks)).toBe(true);
      expect(await auditBlocks(both[1].relayer.db)).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it(
    'of older blocks are what balances are proven by: in each process, and after a restart',
    async () => {
      const database = await createDatabase();
      undo.push(database.drop);
      const input = { databaseUrl: database.url, ...TIMER };
      const [first, second] = [await start(input), await start(input)];
      const alice = await first.account();
      const ledger = new Map<number, bigint>();
      const roots = new Map<number, string>();
      for (let n = 0; n < 4; n++) {
        await alice.post('/api/v3/transfer', await alice.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
        await Promise.all([first, second].map(({ relayer }) => relayer.engine.run({ seal: true })));
        const { block_id, root_after } = (await settled(first.relayer.db)).at(-1) as Row;
        ledger.set(block_id, (await alice.balance(LRC)).total);
        roots.set(block_id, root_after ?? '');
      }
      const newest = Math.max(...roots.keys());
      expect(new Set(ledger.values()).size).toBe(4);
      const ask = (test: TestRelayer, blockId: number) =>
        test.call('GET', '/api/v3/exit/proof', { query: { accountId: alice.accountId, tokenId: LRC, blockId } });
      const check = async (test: TestRelayer) => {
        for (const [blockId, total] of ledger) {
          const { body } = await ask(test, blockId);
          expect(body).toMatchObject({ blockId, root: roots.get(blockId) });
          const proof = parseMerkleProof(body.proof);
          expect(foldMerkleProof(proof)).toBe(BigInt(roots.get(blockId) ?? 0));
          expect(proof.balanceLeaf.balance).toBe(total);
        }
        for (const blockId of [0, newest + 7]) {
          const { status, body } = await ask(test, blockId);
          expect([status, body.resultInfo]).toEqual([
            400,
            {
              code: 100001,
              message: expect.stringMatching(
                new RegExp(`^blockId: balances are proven at blocks 1 to ${newest}, not at ${blockId}$`),
              ),
            },
          ]);
        }
      };
      await check(first);
      await check(second);
      await undo.pop()?.();
      await undo.pop()?.();
      await check(await start(input));
    },
    START_TIMEOUT_MS,
  );

  it(
    'are in a snapshot of each final block, and a later process goes on behind the newest that is true',
    async () => {
      const database = await createDatabase();
      const folder = mkdtempSync(join(tmpdir(), 'countersign-snapshots-'));
      undo.push(database.drop, async () => rmSync(folder, { recursive: true, force: true }));
      const input = { databaseUrl: database.url, snapshotDir: folder, confirmAfterMs: 1, finalizeAfterMs: 1 };
      const files = () => readdirSync(folder).toSorted();
      const moved = async (test: TestRelayer) => {
        const account = await test.account();
        await account.post('/api/v3/transfer', await account.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
        for (let round = 0; round < 3; round++) {
          await test.block();
          await test.advance(1_000);
        }
        await test.block();
        return (await sealed(test.relayer.db)).filter(({ status }) => status === 'finalized');
      };
      const nameOf = ({ block_id }: Row | { block_id: number }) => `state-${block_id}.jsonl`;
      const begun = await start(input);
      await moved(begun);
      const first = await moved(begun);
      expect(files()).toEqual(first.map(nameOf).toSorted());
      await undo.pop()?.();

      // The older ones are taken away by the operator; the newest has the state of another block,
      // and the next is damaged. Both stay.
      const [newest = '', second = '', third = '', ...older] = first.map(nameOf).reverse();
      expect(older.length).toBeGreaterThan(0);
      for (const name of older) rmSync(join(folder, name));
      const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
      const other = textOf(second).replace(/"blockId":[0-9]+/, `"blockId":${first.at(-1)?.block_id}`);
      const damaged = textOf(second).replace(/"nonce":[0-9]+/, '"nonce":77');
      expect(damaged).not.toBe(textOf(second));
      writeFileSync(join(folder, newest), other);
      writeFileSync(join(folder, second), damaged);
      const later = await moved(await start(input));
      const added = later.slice(first.length).map(nameOf);
      expect(added.length).toBeGreaterThan(1);
      expect(files()).toEqual([third, second, newest, ...added].toSorted());
      expect([textOf(newest), textOf(second)]).toEqual([other, damaged]);
      for (const { root_after, ...block } of later.slice(first.length)) {
        const { root } = await readSnapshot(readFileSync(join(folder, nameOf(block)), 'utf8').split('\n'));
        expect(root).toBe(BigInt(root_after ?? 0));
      }
    },
    START_TIMEOUT_MS,
  );

  it('are missing for a block that cannot be replayed, which is never confirmed', async () => {
    const test = await start({ confirmAfterMs: 1 });
    const alice = await test.account();
    await test.block();
    await alice.post('/api/v3/transfer', await alice.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether]));
    await test.relayer.engine.run();
    const { db } = test.relayer;
    const last = async () => (await sealed(db)).at(-1);
    // The receiver of the transfer becomes the protocol's account, which has no owner.
    await db.query(
      `UPDATE block_transactions SET bytes = set_byte(set_byte(bytes, 8, 0), 9, 0)
       WHERE tx_type = 'Transfer' AND block_id = (SELECT block_id FROM blocks WHERE status = 'open')`,
    );
    await test.block();
    await test.advance(10_000);
    await test.block();
    expect(await last()).toMatchObject({ status: 'pending', data: null });
    expect(await test.metric('blocks_without_roots')).toBe(1);
  });
});
