import { domainSeparator, poolDomain } from '../../protocol/typedData.ts';
import type { Pool } from '../engine/catalog.ts';
import { takesJoins } from '../engine/fees.ts';
import { describePool } from '../engine/pools/describePool.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { Route } from '../server/route.ts';

/** Bits of a pool's status. A closed pool can still be left, so it is shown. */
const bits = { exit: 1, join: 2, swap: 4, shown: 8, risky: 16 } as const;
const CLOSED = bits.exit | bits.shown;

const statusOf = (relayer: Relayer, pool: Pool): number =>
  CLOSED | (pool.enabled ? bits.swap : 0) | (takesJoins(relayer, pool) ? bits.join : 0);

export const getAmmPools: Route<'getAmmPools'> = {
  handle: async ({ relayer }) => ({
    pools: await Promise.all(
      relayer.catalog.pools.map(async (pool) => ({
        name: pool.name,
        market: pool.market,
        address: pool.address,
        version: pool.version,
        tokens: { pooled: pool.tokens.map((token) => token.tokenId), lp: pool.lp.tokenId },
        feeBips: pool.feeBips,
        precisions: { price: relayer.catalog.priceDigits(pool), amount: pool.tokens[0].precision },
        createdAt: String(pool.createdAt),
        status: statusOf(relayer, pool) | ((await describePool(relayer, pool)).risky ? bits.risky : 0),
        domainSeparator: domainSeparator(poolDomain(relayer.config.chainId, pool.name, pool.address)),
      })),
    ),
  }),
};
