import { issueSocketKey } from '../push/socketKeys.ts';
import type { Route } from '../server/route.ts';

export const getSocketKey: Route<'getSocketKey'> = {
  handle: async ({ relayer }) => ({ key: await issueSocketKey(relayer.db) }),
};
