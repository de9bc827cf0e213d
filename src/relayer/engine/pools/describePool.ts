import type { z } from 'zod';
import type { ammBalance } from '../../../protocol/endpoints/getAmmBalance.ts';
import type { Pool } from '../catalog.ts';
import { microValue } from '../marketData/tokenPrices.ts';
import type { Relayer } from '../relayer.ts';
import { readPool } from './poolState.ts';

/** Below this value of both reserves a pool counts as risky: small trades move its price much. */
const RISKY_BELOW_MICRO_USD = 10_000n * 1_000_000n;

export async function describePool(relayer: Relayer, pool: Pool): Promise<z.input<ReturnType<typeof ammBalance>>> {
  const { reserves, supply } = await readPool(relayer.db, pool);
  const value = pool.tokens.reduce((sum, token, index) => sum + microValue(token, reserves[index] ?? 0n), 0n);
  return {
    poolName: pool.name,
    poolAddress: pool.address,
    pooled: pool.tokens.map((token, index) => ({ tokenId: token.tokenId, volume: String(reserves[index] ?? 0n) })),
    lp: { tokenId: pool.lp.tokenId, volume: supply.toString() },
    risky: value < RISKY_BELOW_MICRO_USD,
  };
}
