import { describePools } from '../engine/pools/describePools.ts';
import type { Route } from '../server/route.ts';

export const getAmmBalances: Route<'getAmmBalances'> = {
  handle: ({ relayer }) => describePools(relayer, relayer.catalog.pools),
};
