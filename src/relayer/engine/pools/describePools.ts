import type { z } from 'zod';
import type { ammBalance } from '../../../protocol/endpoints/getAmmBalance.ts';
import type { Pool } from '../catalog.ts';
import { microValue } from '../marketData/tokenPrices.ts';
import type { Relayer } from '../relayer.ts';
import { type PoolState, readPools } from './poolState.ts';

/** Below this value of both reserves a pool counts as risky: small trades move its price much. */
const RISKY_BELOW_MICRO_USD = 10_000n * 1_000_000n;

type Described = z.input<ReturnType<typeof ammBalance>>;

export async function describePools(relayer: Relayer, pools: readonly Pool[]): Promise<Described[]> {
  const states = await readPools(relayer.histories, pools);
  return pools.map((pool, index) => describe(pool, states[index] as PoolState));
}

function describe(pool: Pool, { reserves, supply }: PoolState): Described {
  const value = pool.tokens.reduce((sum, token, index) => sum + microValue(token, reserves[index] ?? 0n), 0n);
  return {
    poolName: pool.name,
    poolAddress: pool.address,
    pooled: pool.tokens.map((token, index) => ({ tokenId: token.tokenId, volume: String(reserves[index] ?? 0n) })),
    lp: { tokenId: pool.lp.tokenId, volume: supply.toString() },
    risky: value < RISKY_BELOW_MICRO_USD,
  };
}
