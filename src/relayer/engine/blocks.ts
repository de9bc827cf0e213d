import type { z } from 'zod';
import type { blockOrder, blockToken, transactionBlock } from '../../protocol/resources.ts';
import { encodeTransaction, type Transaction } from '../../protocol/rollup/index.ts';
import type { RelayerConfig } from '../config.ts';
import { isSchemaNewer } from '../db/migrate.ts';
import type { Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { DATABASE_TIME } from './clock.ts';
import { lockEngine } from './engineLock.ts';
import { currentOperator } from './operatorAccount.ts';

/**
 * A transaction of a block in the form of the block query; which members are set depends on
 * `txType`.
 */
export type BlockTransaction = z.input<ReturnType<typeof transactionBlock>>;
export type BlockToken = z.input<ReturnType<typeof blockToken>>;
export type BlockOrder = z.input<ReturnType<typeof blockOrder>>;

/**
 * One transaction of a block: the bytes that replaying executes, and what the block query shows of
 * it.
 */
export interface BlockEntry {
  readonly executed: Transaction;
  readonly shown: BlockTransaction;
}

export interface BlockPosition {
  readonly blockId: number;
  readonly indexInBlock: number;
}

/**
 * Takes the engine's lock, for a submission that writes into the open block itself.
 * @throws {Refusal} FREEZE_FAILED with 503: a newer version has changed the database.
 */
export async function lockOpenBlock(tx: Sql): Promise<void> {
  await lockEngine(tx);
  if (await isSchemaNewer(tx))
    throw new Refusal('FREEZE_FAILED', 'a newer version changed the database, and this process does not know it', 503);
}

interface OpenBlockRow {
  readonly block_id: number;
  readonly operator_id: number;
  readonly size: number;
  readonly created_at: number;
  readonly time: number;
}

/**
 * The clocks of two processes differ by less. A block that is further ahead was begun before the
 * database's clock was set back, and would keep everything waiting whose deadline is near.
 */
const AHEAD_MS = 1_000;

const OPEN_BLOCK = `block_id, operator_id, size, created_at, ${DATABASE_TIME} AS time`;

/**
 * The block that is being filled. Whoever holds the engine's lock writes it: the engine, and
 * submissions that are settled at once.
 * Life: open (not shown) → pending (sealed) → confirmed → finalized.
 */
export class OpenBlock {
  readonly #tx: Sql;
  readonly #now: number;
  readonly blockId: number;
  /** The account that gets the fees of this block. */
  readonly operatorId: number;
  /**
   * Unix seconds; each `validUntil` in it has to be later. Never before the time in its header,
   * that of its first transaction, which a process with another clock may have written.
   */
  readonly time: number;
  #size: number;

  private constructor(tx: Sql, now: number, { block_id, operator_id, size, created_at, time }: OpenBlockRow) {
    this.#tx = tx;
    this.#now = now;
    this.blockId = block_id;
    this.operatorId = operator_id;
    this.#size = size;
    // `close` sets the header's time while there is no transaction.
    this.time = Math.floor(Math.max(now, time, size > 0 ? created_at : 0) / 1000);
  }

  static async take(tx: Sql, now: number): Promise<OpenBlock> {
    const [open] = await tx.query<OpenBlockRow>(`SELECT ${OPEN_BLOCK} FROM blocks WHERE status = 'open'`);
    const isAhead = open !== undefined && open.size > 0 && open.created_at > now + AHEAD_MS;
    if (open && !isAhead) return new OpenBlock(tx, now, open);
    if (open) await sealBlock(tx, open.block_id, now);
    const operator = await currentOperator(tx);
    const [made] = await tx.query<OpenBlockRow & { operator_before: number | null }>(
      `INSERT INTO blocks (block_id, status, size, created_at, status_at, operator_id)
       SELECT max(block_id) + 1, 'open', 0, $1::bigint, $1::bigint, $2::bigint FROM blocks
       RETURNING ${OPEN_BLOCK},
         (SELECT operator_id FROM blocks AS before WHERE before.block_id = blocks.block_id - 1) AS operator_before`,
      [now, operator.accountId],
    );
    if (!made) throw new Error('no block could be opened');
    const block = new OpenBlock(tx, now, made);
    // The state has to know the account that a header names; opening one that is there already
    // changes nothing.
    if (made.operator_before !== operator.accountId) {
      await block.append([depositEntry(operator.accountId, operator.owner, 0, 0n)]);
      await block.close();
    }
    return block;
  }

  /**
   * Adds transactions; the position of the last one that is not a mere description, to which
   * histories point.
   */
  async append(entries: readonly BlockEntry[]): Promise<BlockPosition> {
    const first = this.#size;
    this.#size += entries.length;
    await this.#tx.query(
      `INSERT INTO block_transactions (block_id, index_in_block, tx_type, data, bytes)
       SELECT $1::bigint, $2::int + (position - 1)::int, data->>'txType', data, decode(($4::text[])[position], 'hex')
       FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS list (data, position)`,
      [
        this.blockId,
        first,
        JSON.stringify(entries.map(({ shown }) => shown)),
        entries.map(({ executed }) => Buffer.from(encodeTransaction(executed)).toString('hex')),
      ],
    );
    return {
      blockId: this.blockId,
      indexInBlock: first + entries.findLastIndex(({ executed }) => executed.type !== 'NftData'),
    };
  }

  /**
   * Where the block stands; `rewind` goes back to it when the database rolled back to a savepoint.
   */
  get size(): number {
    return this.#size;
  }

  rewind(size: number): void {
    this.#size = size;
  }

  /**
   * Writes the size down; before the transaction ends. The age of a block counts from its first
   * transaction.
   */
  async close(): Promise<void> {
    await this.#tx.query(
      `UPDATE blocks SET size = $2, created_at = CASE WHEN size = 0 THEN $3::bigint ELSE created_at END
       WHERE block_id = $1 AND size <> $2`,
      [this.blockId, this.#size, this.#now],
    );
  }
}

/**
 * True for the open block when it is full, or its first transaction is old enough. The bounds are
 * named as SQL does.
 */
export const toSeal = (size: string, createdAt: string) =>
  `status = 'open' AND size > 0 AND (size >= ${size} OR created_at <= ${createdAt})`;

/**
 * Both have an index of their own (`blocks_pending`, `blocks_confirmed`). What cannot be replayed,
 * and so has no bytes, is not confirmed; blocks of the time before have no operator.
 */
export const toConfirm = (statusAt: string) =>
  `status = 'pending' AND status_at <= ${statusAt} AND (data IS NOT NULL OR operator_id IS NULL)`;
export const toFinalize = (statusAt: string) => `status = 'confirmed' AND status_at <= ${statusAt}`;

const CONFIRM_BLOCKS = `UPDATE blocks SET status = 'confirmed', status_at = $1 WHERE ${toConfirm('$2')} RETURNING block_id`;
const FINALIZE_BLOCKS = `UPDATE blocks SET status = 'finalized', status_at = $1 WHERE ${toFinalize('$2')} RETURNING block_id`;

/**
 * Seals the open block when it is full or old enough (or `force`), and moves sealed ones on: by
 * age, or, when the operator reports blocks, from confirmed on by age.
 * @returns Whether anything changed.
 */
export async function moveBlocks(
  tx: Sql,
  config: Pick<RelayerConfig, 'blockSize' | 'blockAgeMs' | 'confirmBlocks' | 'confirmAfterMs' | 'finalizeAfterMs'>,
  now: number,
  force: boolean,
): Promise<boolean> {
  const [due] = await tx.query<{ block_id: number }>(`SELECT block_id FROM blocks WHERE ${toSeal('$1', '$2')}`, [
    force ? 1 : config.blockSize,
    now - config.blockAgeMs,
  ]);
  if (due) await sealBlock(tx, due.block_id, now);
  const confirmed =
    config.confirmBlocks === 'time' ? await tx.query(CONFIRM_BLOCKS, [now, now - config.confirmAfterMs]) : [];
  const finalized = await tx.query(FINALIZE_BLOCKS, [now, now - config.finalizeAfterMs]);
  return Boolean(due) || confirmed.length > 0 || finalized.length > 0;
}

/**
 * Ends the open block. Requests in it are processed, and the nonce of its operator rises, as the
 * state transition says.
 */
export async function sealBlock(tx: Sql, blockId: number, now: number): Promise<void> {
  await tx.query(
    `UPDATE requests SET status = 'processed', updated_at = $2 WHERE block_id = $1 AND status = 'processing'`,
    [blockId, now],
  );
  await tx.query(`UPDATE blocks SET status = 'pending', status_at = $2, sealed_at = $2 WHERE block_id = $1`, [
    blockId,
    now,
  ]);
  await tx.query(
    'UPDATE accounts SET nonce = nonce + 1 WHERE account_id = (SELECT operator_id FROM blocks WHERE block_id = $1)',
    [blockId],
  );
}

/** An amount with its token, as blocks print it. */
export function tokenOf(tokenId: number, amount: bigint, nftData?: string): BlockToken {
  return nftData ? { tokenId, amount: amount.toString(), nftData } : { tokenId, amount: amount.toString() };
}

/** A deposit of a token; of amount 0 to open an account in the state. */
export function depositEntry(
  accountId: number,
  owner: string,
  tokenId: number,
  amount: bigint,
  from: string = owner,
): BlockEntry {
  return {
    executed: { type: 'Deposit', to: BigInt(owner), accountId, tokenId, amount },
    shown: {
      txType: 'Deposit',
      accountId,
      owner,
      token: tokenOf(tokenId, amount),
      toAccountId: accountId,
      toAccountAddress: owner,
      fromAddress: from,
      toAddress: owner,
      valid: true,
    },
  };
}
