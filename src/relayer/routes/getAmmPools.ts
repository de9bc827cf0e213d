import { domainSeparator, poolDomain } from '../../protocol/typedData.ts';
import type { Route } from '../server/route.ts';

/** Bits of a pool's status: swaps, joins, exits. */
const OPEN = 7;

export const getAmmPools: Route<'getAmmPools'> = {
  handle: async ({ relayer }) => ({
    pools: relayer.catalog.pools.map((pool) => ({
      name: pool.name,
      market: pool.market,
      address: pool.address,
      version: pool.version,
      tokens: { pooled: pool.tokens.map((token) => token.tokenId), lp: pool.lp.tokenId },
      feeBips: pool.feeBips,
      precisions: { price: 6, amount: pool.tokens[0].precision },
      createdAt: String(pool.createdAt),
      status: pool.enabled ? OPEN : 0,
      domainSeparator: domainSeparator(poolDomain(relayer.config.chainId, pool.name, pool.address)),
    })),
  }),
};
