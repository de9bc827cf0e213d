import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { RelayerConfig } from '../../config.ts';
import type { Db, Sql } from '../../db/port.ts';
import { createMutex } from '../../mutex.ts';
import type { Metrics } from '../../server/metrics.ts';
import type { Clock } from '../clock.ts';
import type { BalanceProof, ProvableBlocks } from './blockStates.ts';
import { firstKept, readRooted } from './rootedBlocks.ts';
import { loadSnapshot, snapshotsIn } from './snapshotFiles.ts';
import { openStates } from './states.ts';

/**
 * The state tree of the exchange in this process, built from the bytes of the blocks. Whichever
 * process is first writes the roots and bytes of a sealed block, once; the others follow, and all
 * of them compute the same.
 */
export interface StateKeeper {
  /**
   * Gives all sealed blocks their roots and bytes.
   * @param atOnce - Also where another process did the block before, and will likely do these.
   */
  rootBlocks(atOnce: boolean): Promise<void>;
  /**
   * @returns `undefined` as long as no block has roots; `behind` at once while a snapshot or
   *   earlier blocks are being read, as after a start.
   */
  prove(
    accountId: number,
    tokenId: number,
    blockId?: number,
  ): Promise<BalanceProof | ProvableBlocks | 'behind' | undefined>;
  close(): Promise<void>;
}

interface StateKeeperDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: Pick<RelayerConfig, 'engine' | 'exchangeAddress' | 'snapshotDir'>;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Blocks that are read at once while following. */
const FOLLOW = 50;
/**
 * How long a block is left to the process that did the one before; both would hash everything
 * otherwise.
 */
const TAKE_OVER_MS = 2_000;

type Outcome = 'done' | 'nothing' | 'elsewhere';

/** What the roots and bytes of a block follow from. */
interface Inputs {
  readonly operator_id: number;
  readonly created_at: number;
  /** Where the block before ends. */
  readonly root: string | null;
  readonly bytes: string;
}

const INPUTS = `operator_id, created_at,
  (SELECT root_after FROM blocks AS before WHERE before.block_id = blocks.block_id - 1) AS root,
  (SELECT string_agg(encode(bytes, 'hex'), '' ORDER BY index_in_block) FROM block_transactions
   WHERE block_transactions.block_id = blocks.block_id) AS bytes`;

async function readInputs(sql: Sql, blockId: number): Promise<Inputs | undefined> {
  const [row] = await sql.query<Inputs>(`SELECT ${INPUTS} FROM blocks WHERE block_id = $1`, [blockId]);
  return row;
}

export function createStateKeeper({ db, clock, config, log, metrics }: StateKeeperDeps): StateKeeper {
  // Steps by hand are for development; a thread would cost more than it saves there.
  const open = () => openStates(config.engine !== 'stepped');
  let states = open();
  /** The last block of this state that the database had, with the root that it ends at. */
  let seen: { readonly blockId: number; readonly root: string } | undefined;
  /** The block that this state was given to seal, until the database is known to have its roots. */
  let sealing: { readonly blockId: number; readonly inputs: Inputs; readonly root?: string } | undefined;
  let lastRooted: number | undefined;
  let lastError = '';
  let closed = false;
  let isBehind = false;

  /** One after another: a proof never meets a state that is on its way. */
  const inTurn = createMutex();

  /**
   * A database that was set back, by a failover or a restore, may get other blocks with the same
   * numbers. Nothing that was made of those that it lost is true then.
   */
  const forgetLostBlocks = async (): Promise<void> => {
    const rootOf = async (blockId: number) => {
      const [block] = await db.query<{ root: string | null }>(
        'SELECT root_after AS root FROM blocks WHERE block_id = $1',
        [blockId],
      );
      return block?.root;
    };
    const isTrue = async (): Promise<boolean> => {
      if (sealing) {
        const root = await rootOf(sealing.blockId);
        if (!root && !isDeepStrictEqual(await readInputs(db, sealing.blockId), sealing.inputs)) return false;
        if (root && root !== sealing.root) return false;
        if (root) {
          seen = { blockId: sealing.blockId, root };
          sealing = undefined;
        }
      }
      return !seen || (await rootOf(seen.blockId)) === seen.root;
    };
    if (await isTrue()) return;
    log.error({ blockId: (sealing ?? seen)?.blockId }, 'the database lost blocks; the state is built anew');
    seen = undefined;
    sealing = undefined;
    await states.close();
    states = open();
  };

  /** A snapshot replaces what is before it, of which nothing can be proven then. */
  const beginAtSnapshot = async (folder: string): Promise<void> => {
    const first = await firstKept(db);
    if (first === undefined) return;
    let blocks: readonly number[] = [];
    try {
      blocks = snapshotsIn(folder).filter((blockId) => blockId < first);
    } catch (error) {
      log.error({ err: error, path: folder }, 'the folder of snapshots cannot be read');
    }
    isBehind = blocks.length > 0;
    await loadSnapshot(states, { db, folder, log, blocks });
  };

  const follow = async (): Promise<void> => {
    await forgetLostBlocks();
    try {
      if (config.snapshotDir !== undefined && (await states.blockId()) === undefined)
        await beginAtSnapshot(config.snapshotDir);
      while (!closed) {
        const blocks = await readRooted(db, (await states.blockId()) ?? -1, FOLLOW);
        if (blocks.length === 0) return;
        isBehind = blocks.length === FOLLOW;
        await states.follow(blocks, await firstKept(db));
        const last = blocks.at(-1);
        if (last) seen = { blockId: last.blockId, root: last.rootAfter };
      }
    } finally {
      isBehind = false;
    }
  };

  const rootNext = async (atOnce: boolean): Promise<Outcome> => {
    const [next] = await db.query<
      Inputs & { readonly block_id: number; readonly sealed_at: number; readonly before: number | null }
    >(
      `SELECT block_id, sealed_at, (SELECT max(block_id) FROM blocks WHERE data IS NOT NULL) AS before, ${INPUTS}
       FROM blocks WHERE operator_id IS NOT NULL AND data IS NULL AND status <> 'open' ORDER BY block_id LIMIT 1`,
    );
    if (!next) return 'nothing';
    const mine = next.before === null || next.before === lastRooted;
    if (!atOnce && !mine && clock.now() - next.sealed_at < TAKE_OVER_MS) return 'elsewhere';
    // Written by another process since this one followed.
    const known = await states.blockId();
    if (next.before !== null && next.before !== known && next.block_id !== known) return 'done';
    const { block_id: blockId, operator_id, created_at, root, bytes } = next;
    const inputs: Inputs = { operator_id, created_at, root, bytes };
    // Another block since this one followed.
    if (sealing && !(sealing.blockId === blockId && isDeepStrictEqual(sealing.inputs, inputs))) return 'done';
    sealing = { blockId, inputs };
    const started = performance.now();
    const block = await states.seal({
      blockId,
      exchange: config.exchangeAddress,
      operatorId: next.operator_id,
      // The time of its first transaction: the circuit asks that every validUntil in the block is
      // later.
      timestamp: Math.floor(next.created_at / 1000),
      transactions: Buffer.from(next.bytes, 'hex'),
    });
    sealing = { blockId, inputs, root: block.rootAfter };
    metrics.observe('block_roots_seconds', (performance.now() - started) / 1000, {});
    if (next.root !== null && next.root !== block.rootBefore)
      throw new Error(`block ${blockId} begins at ${block.rootBefore}, the one before ends at ${next.root}`);
    const [written] = await db.transaction(async (tx) => {
      if (!isDeepStrictEqual(await readInputs(tx, blockId), inputs))
        throw new Error(`block ${blockId} is another one since it was sealed`);
      await tx.query(
        `UPDATE blocks SET data = decode($2, 'hex'), root_before = $3, root_after = $4
         WHERE block_id = $1 AND data IS NULL`,
        [blockId, Buffer.from(block.data).toString('hex'), block.rootBefore, block.rootAfter],
      );
      return tx.query<{ root_after: string }>('SELECT root_after FROM blocks WHERE block_id = $1', [blockId]);
    });
    if (written?.root_after !== block.rootAfter)
      throw new Error(
        `block ${blockId} ends at ${written?.root_after} for another process, here at ${block.rootAfter}`,
      );
    lastRooted = blockId;
    seen = { blockId, root: block.rootAfter };
    sealing = undefined;
    return 'done';
  };

  const rootAll = async (atOnce: boolean): Promise<void> => {
    try {
      for (let outcome: Outcome = 'done'; outcome === 'done' && !closed; ) {
        await follow();
        if (closed) return;
        outcome = await rootNext(atOnce);
      }
      lastError = '';
    } catch (error) {
      // The blocks stay without roots, and are not confirmed, until somebody has looked.
      if (lastError !== String(error) && !closed) log.error({ err: error }, 'a block could not get its roots');
      lastError = String(error);
    }
  };
  let rooting: Promise<void> | undefined;

  return {
    rootBlocks: (atOnce) => {
      if (rooting && !atOnce) return rooting;
      const turn = inTurn(() => rootAll(atOnce)).finally(() => {
        if (rooting === turn) rooting = undefined;
      });
      rooting = turn;
      return turn;
    },
    prove: async (accountId, tokenId, blockId) =>
      isBehind
        ? 'behind'
        : inTurn(async () => {
            await follow();
            return (await states.blockId()) === undefined ? undefined : states.prove(accountId, tokenId, blockId);
          }),
    close: async () => {
      closed = true;
      await inTurn(async () => {});
      await states.close();
    },
  };
}
