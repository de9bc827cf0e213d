import { type EndpointAnswer, poolTakes } from '../protocol/index.ts';
import type { Facts } from './operation.ts';

type Balance = EndpointAnswer<'getAmmBalances'>[number];

/** Seconds for which the relayer's list of pools is good enough: pools are rarely closed. */
const POOLS_AGE_SECONDS = 900;

/**
 * Tells the pools whose amounts are a price: those that somebody has a share of and that are not
 * closed. What the relayer does not say of a pool in time does not count against it.
 */
export async function pricedPools(facts: Facts): Promise<(balance: Balance) => boolean> {
  const listed = await facts.recent('getAmmPools', {}, POOLS_AGE_SECONDS);
  const closed = new Set(listed?.pools.flatMap((pool) => (poolTakes('swap', pool) ? [] : pool.address.toLowerCase())));
  return ({ poolAddress, lp }) => BigInt(lp.volume) > 0n && !closed.has(poolAddress.toLowerCase());
}

/** Gives the ten-thousandths that the open pool of two tokens takes, where the relayer lists it. */
export async function poolFeeOf(tokenIds: readonly number[], facts: Facts): Promise<{ readonly poolFeeBips?: number }> {
  const listed = await facts.recent('getAmmPools', {}, POOLS_AGE_SECONDS);
  const pool = listed?.pools.find(
    (one) => poolTakes('swap', one) && tokenIds.every((id) => one.tokens.pooled.includes(id)),
  );
  return pool ? { poolFeeBips: pool.feeBips } : {};
}

/** Finds what the first pool that holds two tokens has of each, base units. */
export function amountsOf(
  pools: readonly Balance[],
  sellTokenId: number,
  buyTokenId: number,
): { readonly sell: string; readonly buy: string } | undefined {
  for (const { pooled } of pools) {
    const [sell, buy] = [sellTokenId, buyTokenId].map((id) => pooled.find(({ tokenId }) => tokenId === id)?.volume);
    if (sell && buy && BigInt(sell) > 0n && BigInt(buy) > 0n) return { sell, buy };
  }
  return undefined;
}
