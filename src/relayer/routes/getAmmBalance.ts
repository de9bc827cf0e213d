import { describePool } from '../engine/pools/describePool.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getAmmBalance: Route<'getAmmBalance'> = {
  handle: async ({ relayer, query }) => {
    const pool = relayer.catalog.pool(query.poolAddress);
    if (!pool) throw new Refusal('INVALID_ARGUMENT', `poolAddress: ${query.poolAddress} is no pool of this exchange`);
    return describePool(relayer, pool);
  },
};
