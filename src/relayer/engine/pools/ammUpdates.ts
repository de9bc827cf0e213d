import { type BlockTransaction, tokenOf } from '../blocks.ts';
import type { Pool } from '../catalog.ts';

/** The balance updates of a pool that stand before a join or exit in a block. */
export function ammUpdates(pool: Pool, amounts: readonly [bigint, bigint]): BlockTransaction[] {
  return pool.tokens.map((token, index) => ({
    txType: 'AmmUpdate',
    accountId: pool.accountId,
    owner: pool.address,
    token: tokenOf(token.tokenId, amounts[index] ?? 0n),
    valid: true,
  }));
}
