import type { Route } from '../server/route.ts';

export const getAvailableBroker: Route<'getAvailableBroker'> = {
  handle: async ({ relayer }) => ({ broker: relayer.config.brokerAddress }),
};
