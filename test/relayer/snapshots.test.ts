import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { encodeTransaction, readSnapshot } from '../../src/protocol/rollup/index.ts';
import type { Db } from '../../src/relayer/db/port.ts';
import { BlockStates, type RootedBlock } from '../../src/relayer/engine/state/blockStates.ts';
import { createSnapshots } from '../../src/relayer/engine/state/snapshots.ts';
import { openStates } from '../../src/relayer/engine/state/states.ts';
import '../support/useFastCore.ts';

/** Catches the threads that are started during a test. */
function startedThreads(): Worker[] {
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  onTestFinished(() => {
    process.off('worker', note);
  });
  return threads;
}

/** Blocks with a deposit each. */
function blocksOf(count: number): RootedBlock[] {
  const states = new BlockStates();
  return Array.from({ length: count }, (_, index) =>
    states.seal({
      blockId: index + 1,
      exchange: `0x${'ab'.repeat(20)}`,
      operatorId: 1,
      timestamp: 1_600_000_000 + index,
      transactions: encodeTransaction({ type: 'Deposit', to: 1n, accountId: 1, tokenId: 0, amount: 1n }),
    }),
  );
}

/** A database that has these blocks alone, all of them final. */
const databaseOf = (blocks: readonly RootedBlock[]) =>
  ({
    query: async (_text: string, [after]: readonly number[]) =>
      blocks
        .filter(({ blockId }) => blockId > Number(after))
        .slice(0, 1)
        .map((block) => ({ ...block, data: Buffer.from(block.data).toString('hex'), isFinal: true })),
  }) as unknown as Db;

/** Runs work a minute later by `performance.now()`. */
function minutes() {
  let passed = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  onTestFinished(() => clock.mockRestore());
  return <T>(work: () => T): T => {
    passed += 60_000;
    return work();
  };
}

test('a folder that cannot be written is tried again after a minute', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-snapshots-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const snapshots = createSnapshots(databaseOf(blocksOf(1)), folder, pino({ level: 'silent' }));
  const afterMinute = minutes();
  renameSync(folder, `${folder}-away`);
  await snapshots.write();
  renameSync(`${folder}-away`, folder);
  await snapshots.write();
  expect(readdirSync(folder)).toEqual([]);
  await afterMinute(() => snapshots.write());
  expect(readdirSync(folder)).toEqual(['state-1.jsonl']);
  await snapshots.close();
});

test('a thread that ended between two calls is said once, and replaced', async () => {
  const threads = startedThreads();
  const states = openStates(true);
  const [block] = blocksOf(1);
  await states.follow([block as RootedBlock]);
  expect(await states.blockId()).toBe(1);
  await threads[0]?.terminate();
  await expect(states.blockId()).rejects.toThrow('the thread of the state ended');
  expect(await states.blockId()).toBeUndefined();
  expect(threads).toHaveLength(2);
  await states.close();
});

test('a snapshot whose thread ended before it was written gets the state after its own block', async () => {
  const threads = startedThreads();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-snapshots-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blocks = blocksOf(3);
  const final = blocks.slice(0, 2);
  const snapshots = createSnapshots(databaseOf(final), folder, pino({ level: 'silent' }));
  const afterMinute = minutes();
  await snapshots.write();
  final.push(blocks[2] as RootedBlock);
  renameSync(folder, `${folder}-away`);
  await snapshots.write();
  renameSync(`${folder}-away`, folder);
  expect(readdirSync(folder)).toHaveLength(2);
  await threads[0]?.terminate();
  await afterMinute(() => snapshots.write());
  await afterMinute(() => snapshots.write());
  for (const { blockId, rootAfter } of blocks) {
    const text = readFileSync(join(folder, `state-${blockId}.jsonl`), 'utf8');
    expect(await readSnapshot(text.split('\n'))).toMatchObject({ blockId, root: BigInt(rootAfter) });
  }
  await snapshots.close();
});
