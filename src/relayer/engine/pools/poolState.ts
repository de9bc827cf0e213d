import { MAX_AMOUNT, MAX_UINT32 } from '../../../protocol/limits.ts';
import type { Sql } from '../../db/port.ts';
import type { Pool } from '../catalog.ts';

/**
 * Base units of LP tokens of each pool, deposited once into the pool's account: a block can neither
 * mint nor burn them. Those that the pool holds itself do not count as shares.
 */
export const LP_TOKENS = MAX_AMOUNT;

/** Reserves in the order of the pool's tokens, and LP tokens in the hands of others. */
export interface PoolState {
  readonly reserves: readonly [bigint, bigint];
  readonly supply: bigint;
  /** Transactions that wrote them last: others, although the amounts may be the same again. */
  readonly writtenBy: string;
}

export async function readPool(sql: Sql, pool: Pool): Promise<PoolState> {
  const rows = await sql.query<{ token_id: number; total: bigint; written_by: string }>(
    `SELECT token_id, total, xmin::text AS written_by FROM balances
     WHERE account_id = $1 AND token_id = ANY($2::int[]) ORDER BY token_id`,
    [pool.accountId, [...pool.tokens, pool.lp].map(({ tokenId }) => tokenId)],
  );
  const of = (tokenId: number) => rows.find((entry) => entry.token_id === tokenId)?.total ?? 0n;
  return {
    reserves: [of(pool.tokens[0].tokenId), of(pool.tokens[1].tokenId)],
    supply: LP_TOKENS - of(pool.lp.tokenId),
    writtenBy: rows.map(({ written_by }) => written_by).join(),
  };
}

/**
 * Takes storage ids for what a pool sells or sends; they rise over all its tokens.
 * @returns The first of `count`.
 */
export async function takePoolStorageIds(tx: Sql, address: string, count: number): Promise<number> {
  const [row] = await tx.query<{ next: number }>(
    'UPDATE amm_pools SET next_storage_id = next_storage_id + $2 WHERE address = $1 RETURNING next_storage_id AS next',
    [address, count],
  );
  if (!row || row.next > MAX_UINT32) throw new Error(`pool ${address} has no storage id left`);
  return row.next - count;
}
