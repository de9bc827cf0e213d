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

/** Of each pool, in their order and of one moment. */
export async function readPools(sql: Sql, pools: readonly Pool[]): Promise<PoolState[]> {
  const held = pools.flatMap((pool) =>
    [...pool.tokens, pool.lp].map(({ tokenId }) => [pool.accountId, tokenId] as const),
  );
  const rows = await sql.query<{ account_id: number; token_id: number; total: bigint; written_by: string }>(
    `SELECT account_id, token_id, total, balances.xmin::text AS written_by
     FROM unnest($1::bigint[], $2::int[]) AS held (account_id, token_id) JOIN balances USING (account_id, token_id)
     ORDER BY token_id`,
    [held.map(([accountId]) => accountId), held.map(([, tokenId]) => tokenId)],
  );
  return pools.map(({ accountId, tokens, lp }) => {
    const own = rows.filter(({ account_id }) => account_id === accountId);
    const of = (tokenId: number) => own.find(({ token_id }) => token_id === tokenId)?.total ?? 0n;
    return {
      reserves: [of(tokens[0].tokenId), of(tokens[1].tokenId)],
      supply: LP_TOKENS - of(lp.tokenId),
      writtenBy: own.map(({ written_by }) => written_by).join(),
    };
  });
}

export const readPool = async (sql: Sql, pool: Pool): Promise<PoolState> =>
  (await readPools(sql, [pool]))[0] as PoolState;

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
