import type { EndpointAnswer } from '../../protocol/endpointTable.ts';
import { describePools } from '../engine/pools/describePools.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getAmmBalance: Route<'getAmmBalance'> = {
  handle: async ({ relayer, query }) => {
    const pool = relayer.catalog.pool(query.poolAddress);
    if (!pool) throw new Refusal('INVALID_ARGUMENT', `poolAddress: ${query.poolAddress} is no pool of this exchange`);
    return (await describePools(relayer, [pool]))[0] as EndpointAnswer<'getAmmBalance'>;
  },
};
