import { Float24, roundToFloat, roundUpToFloat } from '../../../protocol/floats.ts';
import { release } from '../balances.ts';
import { ceilDiv, min } from '../orders/fillMath.ts';
import { integerRoot } from '../orders/poolMath.ts';
import { readPool } from '../pools/poolState.ts';
import { movePoolTokens } from './movePoolTokens.ts';
import type { Settlement } from './settlement.ts';
import { SettlementFailure } from './settlementFailure.ts';

/**
 * Takes both tokens in the pool's ratio and gives LP tokens of the pool for them; what the ratio
 * does not need stays the owner's.
 */
export const settleAmmJoin: Settlement = async (relayer, tx, request, block) => {
  const pool = relayer.catalog.pool(request.other_address);
  if (!pool?.enabled) throw new SettlementFailure('the pool is closed');
  const { reserves, supply } = await readPool(tx, pool);
  const offered = (request.details.amounts as string[]).map(BigInt) as [bigint, bigint];
  const most = offered.map((amount) => roundToFloat(amount, Float24)) as [bigint, bigint];
  const exact =
    supply === 0n
      ? integerRoot(most[0] * most[1])
      : min((most[0] * supply) / reserves[0], (most[1] * supply) / reserves[1]);
  const lp = roundToFloat(exact, Float24);
  if (lp < request.amount || lp === 0n)
    throw new SettlementFailure(`the pool gives ${lp} LP now, less than the signed minimum`);
  // Rounded up, so that joining never dilutes the others; never above what was offered, which is a
  // float itself.
  const taken =
    supply === 0n
      ? most
      : (reserves.map((reserve) => roundUpToFloat(ceilDiv(lp * reserve, supply), Float24)) as [bigint, bigint]);
  const { storageIds } = request.details as { storageIds: readonly number[] };
  const entries = await movePoolTokens(relayer, tx, request, block, pool, [...taken, lp], storageIds);
  for (const [index, { tokenId }] of pool.tokens.entries())
    await release(tx, request.account_id, tokenId, (offered[index] ?? 0n) - (taken[index] ?? 0n));
  return entries;
};
