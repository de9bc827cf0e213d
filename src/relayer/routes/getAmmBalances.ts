import { describePool } from '../engine/pools/describePool.ts';
import type { Route } from '../server/route.ts';

export const getAmmBalances: Route<'getAmmBalances'> = {
  handle: async ({ relayer }) => Promise.all(relayer.catalog.pools.map((pool) => describePool(relayer, pool))),
};
