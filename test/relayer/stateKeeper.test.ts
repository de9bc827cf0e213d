import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/relayer/db/port.ts';
import { PROVEN_TRANSACTIONS } from '../../src/relayer/engine/state/blockStates.ts';
import { createStateKeeper, type StateKeeper } from '../../src/relayer/engine/state/stateKeeper.ts';
import { createMetrics } from '../../src/relayer/server/metrics.ts';
import { START_TIMEOUT_MS } from './support/databases.ts';
import { startRelayer, type TestRelayer } from './support/startRelayer.ts';
import type { TestAccount } from './support/testAccount.ts';
import { ether, LRC } from './support/tokens.ts';

/** Blocks that are read at once; the next reading is another query. */
const READ_AT_ONCE = 50;

let server: TestRelayer;
let account: TestAccount;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-states-'));
  server = await startRelayer({ blockSize: 1, snapshotDir: folder, confirmAfterMs: 1, finalizeAfterMs: 1 });
  account = await server.account();
  const pay = async () =>
    account.post('/api/v3/transfer', await account.transfer(`0x${'0c'.repeat(20)}`, [LRC, ether / 1_000n]));
  const final = () => readdirSync(folder).length;
  while (final() <= READ_AT_ONCE + 10) {
    for (let n = 0; n < 10; n++) await pay();
    for (let n = 0; n < 3; n++) {
      await server.block();
      await server.advance(1_000);
    }
  }
  // As if block 40 were so large that nothing before the one behind it can be proven.
  await server.relayer.db.query('UPDATE blocks SET size = $1 WHERE block_id = 40', [PROVEN_TRANSACTIONS]);
}, START_TIMEOUT_MS);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * The keeper of another process on the same database. One of its readings of blocks, the second as
 * a rule, waits until it is let go on.
 */
function nextProcess(config: { readonly snapshotDir?: string } = {}, beforeWrite = async () => {}, waiting = 2) {
  const { db } = server.relayer;
  const readings: number[] = [];
  const logged: { msg: string }[] = [];
  let letGoOn = () => {};
  const goesOn = new Promise<void>((resolve) => {
    letGoOn = resolve;
  });
  let reach = () => {};
  const isReached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const query: Db['query'] = async (text, values = []) => {
    if (/block_id > \$1/.test(text)) {
      readings.push(Number(values[0]));
      if (readings.length === waiting) {
        reach();
        await goesOn;
      }
    }
    return db.query(text, values);
  };
  const keeper: StateKeeper = createStateKeeper({
    db: {
      ...db,
      query,
      transaction: async (work) => {
        await beforeWrite();
        return db.transaction(work);
      },
    },
    clock: { now: Date.now, skew: () => 0, advance: async () => {}, reload: async () => {} },
    config: { engine: 'stepped', exchangeAddress: server.place.exchange as `0x${string}`, ...config },
    log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    metrics: createMetrics(),
  });
  return { keeper, readings, logged, isReached, letGoOn };
}

test.each([
  ['earlier blocks', false],
  ['a snapshot', true],
])('a process that reads %s proves nothing and lets nobody wait, and then proves', async (_, isSnapshot) => {
  const { keeper, isReached, letGoOn } = isSnapshot
    ? nextProcess({ snapshotDir: folder }, async () => {}, 1)
    : nextProcess();
  const rooting = keeper.rootBlocks(true);
  await isReached;
  expect(await keeper.prove(account.accountId, LRC)).toBe('behind');
  letGoOn();
  await rooting;
  expect(await keeper.prove(account.accountId, LRC)).toMatchObject({
    proof: { balanceMerkleProof: expect.any(Array) },
  });
  await keeper.close();
});

test('a process that is closed while it reads earlier blocks reads no more of them', async () => {
  const { keeper, readings, isReached, letGoOn } = nextProcess();
  void keeper.rootBlocks(true);
  await isReached;
  const closed = keeper.close();
  letGoOn();
  await closed;
  expect(readings).toHaveLength(2);
});

test('with snapshots it begins at the newest one that is older than every block that can be proven', async () => {
  const { keeper, readings, letGoOn } = nextProcess({ snapshotDir: folder });
  letGoOn();
  expect(await keeper.prove(account.accountId, LRC)).toMatchObject({
    proof: { balanceMerkleProof: expect.any(Array) },
  });
  // The first reading finds the block of the snapshot, the second goes on behind it.
  expect(readings.slice(0, 2)).toEqual([39, 40]);
  expect(await keeper.prove(account.accountId, LRC, 41)).toMatchObject({ blockId: 41 });
  // What the snapshot says is proven too, nothing before it.
  expect(await keeper.prove(account.accountId, LRC, 39)).toMatchObject({ oldest: 40 });
  await keeper.close();
});

test('with a folder of snapshots that cannot be read it says which, and begins at genesis', async () => {
  const snapshotDir = join(folder, 'missing');
  const { keeper, readings, logged, letGoOn } = nextProcess({ snapshotDir });
  letGoOn();
  await keeper.rootBlocks(true);
  await keeper.rootBlocks(true);
  expect(readings[0]).toBe(-1);
  expect(await keeper.prove(account.accountId, LRC)).toMatchObject({ proof: expect.anything() });
  expect(logged).toMatchObject([{ path: snapshotDir, msg: 'the folder of snapshots cannot be read' }]);
  await keeper.close();
});

test('a process that is ahead of a database that lost blocks says so once, and goes on with what is there', async () => {
  const { db } = server.relayer;
  const lost = () =>
    db.query<{ block_id: number; data: string; root_after: string }>(
      `SELECT block_id, encode(data, 'hex') AS data, root_after FROM blocks WHERE data IS NOT NULL
       ORDER BY block_id DESC LIMIT 2`,
    );
  const { keeper, letGoOn, logged } = nextProcess();
  letGoOn();
  await keeper.rootBlocks(true);
  const before = await lost();
  await db.query('UPDATE blocks SET data = NULL, root_before = NULL, root_after = NULL WHERE block_id = ANY($1)', [
    before.map(({ block_id }) => block_id),
  ]);
  await keeper.rootBlocks(true);
  expect(await lost()).toEqual(before);
  expect(await keeper.prove(account.accountId, LRC)).toMatchObject({ proof: expect.anything() });
  expect(logged.map(({ msg }) => msg)).toEqual(['the database lost blocks; the state is built anew']);
  await keeper.close();
});

describe('a process whose write of a block failed', () => {
  const failed = 'a block could not get its roots';
  const rooted = () =>
    server.relayer.db.query<{ block_id: number; data: string; root_after: string }>(
      `SELECT block_id, encode(data, 'hex') AS data, root_after FROM blocks WHERE operator_id IS NOT NULL
       AND status <> 'open' ORDER BY block_id DESC LIMIT 2`,
    );
  let before: Awaited<ReturnType<typeof rooted>>;
  const forget = () =>
    server.relayer.db.query(
      'UPDATE blocks SET data = NULL, root_before = NULL, root_after = NULL WHERE block_id >= $1',
      [Number(before[1]?.block_id)],
    );
  /** As after a failover to a standby that had neither, and got the same in another order. */
  const swap = () =>
    server.relayer.db.query(
      `UPDATE block_transactions AS one SET bytes = other.bytes FROM block_transactions AS other
       WHERE one.block_id IN ($1, $2) AND other.block_id = $1 + $2 - one.block_id
         AND other.index_in_block = one.index_in_block`,
      before.map(({ block_id }) => block_id),
    );
  const root = async (beforeWrite?: () => Promise<void>) => {
    await forget();
    const { keeper, letGoOn, logged } = nextProcess({}, beforeWrite);
    letGoOn();
    for (let n = 0; n < 3; n++) await keeper.rootBlocks(true);
    await keeper.close();
    return { blocks: await rooted(), logged: logged.map(({ msg }) => msg) };
  };
  const once = (work: () => Promise<unknown>) => {
    let isDone = false;
    return async () => {
      if (isDone) return;
      isDone = true;
      await work();
    };
  };
  const fail = () => {
    throw new Error('the primary is gone');
  };
  beforeEach(async () => {
    before = await rooted();
  });

  test('writes it later without reading all blocks again', async () => {
    expect(await root(once(async () => fail()))).toEqual({ blocks: before, logged: [failed] });
  });

  test.each([
    ['with the failure', async () => swap().then(fail)],
    ['between reading and writing', swap],
  ])('gives another block with its number roots of its own: %s', async (_, work) => {
    const { blocks, logged } = await root(once(work));
    expect(blocks[1]?.root_after).not.toBe(before[1]?.root_after);
    expect(logged).toEqual([failed, 'the database lost blocks; the state is built anew']);
    expect(await root()).toEqual({ blocks, logged: [] });
  });

  test('roots no further block after one that another process ended at another root', async () => {
    const [next, first] = before;
    const other = () =>
      server.relayer.db.query(`UPDATE blocks SET data = decode($2, 'hex'), root_after = $3 WHERE block_id = $1`, [
        ...[Number(first?.block_id), String(next?.data), String(next?.root_after)],
      ]);
    const { blocks, logged } = await root(once(other));
    expect(blocks).toEqual([
      { block_id: next?.block_id, data: null, root_after: null },
      { ...next, block_id: first?.block_id },
    ]);
    expect(logged).toEqual([failed, 'the database lost blocks; the state is built anew', failed]);
    expect(await root()).toEqual({ blocks: before, logged: [] });
  });
});
