import { poolBits } from '../../protocol/poolStatus.ts';
import { domainSeparator, poolDomain } from '../../protocol/typedData.ts';
import type { Pool } from '../engine/catalog.ts';
import { takesJoins } from '../engine/fees.ts';
import { describePools } from '../engine/pools/describePools.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { Route } from '../server/route.ts';

const CLOSED = poolBits.exit | poolBits.shown;

const statusOf = (relayer: Relayer, pool: Pool): number =>
  CLOSED | (pool.enabled ? poolBits.swap : 0) | (takesJoins(relayer, pool) ? poolBits.join : 0);

export const getAmmPools: Route<'getAmmPools'> = {
  handle: async ({ relayer }) => {
    const { pools } = relayer.catalog;
    const described = await describePools(relayer, pools);
    return {
      pools: pools.map((pool, index) => ({
        name: pool.name,
        market: pool.market,
        address: pool.address,
        version: pool.version,
        tokens: { pooled: pool.tokens.map((token) => token.tokenId), lp: pool.lp.tokenId },
        feeBips: pool.feeBips,
        precisions: { price: relayer.catalog.priceDigits(pool), amount: pool.tokens[0].precision },
        createdAt: String(pool.createdAt),
        status: statusOf(relayer, pool) | (described[index]?.risky ? poolBits.risky : 0),
        domainSeparator: domainSeparator(poolDomain(relayer.config.chainId, pool.name, pool.address)),
      })),
    };
  },
};
