import { askL1 } from '../engine/signatures.ts';
import type { Route } from '../server/route.ts';

export const getCode: Route<'getCode'> = {
  handle: async ({ relayer, body }) => ({
    id: 1,
    jsonrpc: '2.0',
    result: await askL1(relayer, () => relayer.codeOf(body.address)),
  }),
};
