import type { Sql } from '../../db/port.ts';
import type { Pool } from '../catalog.ts';

/** Reserves in the order of the pool's tokens, and LP tokens in existence. */
export interface PoolState {
  readonly reserves: readonly [bigint, bigint];
  readonly supply: bigint;
}

export async function readPool(sql: Sql, pool: Pool): Promise<PoolState> {
  const rows = await sql.query<{ token_id: number; total: bigint }>(
    'SELECT token_id, total FROM balances WHERE account_id = $1',
    [pool.accountId],
  );
  const [row] = await sql.query<{ lp_supply: bigint }>('SELECT lp_supply FROM amm_pools WHERE address = $1', [
    pool.address,
  ]);
  const of = (tokenId: number) => rows.find((entry) => entry.token_id === tokenId)?.total ?? 0n;
  return { reserves: [of(pool.tokens[0].tokenId), of(pool.tokens[1].tokenId)], supply: row?.lp_supply ?? 0n };
}

export async function changeSupply(tx: Sql, pool: Pool, delta: bigint): Promise<void> {
  await tx.query('UPDATE amm_pools SET lp_supply = lp_supply + $2 WHERE address = $1', [pool.address, delta]);
}
