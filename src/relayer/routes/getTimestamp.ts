import type { Route } from '../server/route.ts';

export const getTimestamp: Route<'getTimestamp'> = {
  handle: async ({ relayer }) => ({ timestamp: relayer.clock.now() }),
};
