import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address } from '../fields.ts';
import { once } from '../once.ts';
import { tokenVolumeV3Answer } from '../resources.ts';
import { z } from '../zod.ts';

/** Balances of a pool. */
export const ammBalance = once(() =>
  z.looseObject({
    poolName: described(z.string(), doc?.('Pool name, enters its EIP-712 domain')),
    poolAddress: address(),
    pooled: described(z.array(tokenVolumeV3Answer()), doc?.("Amounts in the order of the pool's tokens")),
    lp: described(tokenVolumeV3Answer(), doc?.('LP tokens in existence')),
    risky: described(z.boolean(), doc?.('True when the pool is small and slippage large')),
  }),
);

/** Tokens inside one pool. Clients in use send no API key. */
export const getAmmBalance = readEndpoint({
  path: '/api/v3/amm/balance',
  summary: doc?.('Tokens inside a pool'),
  apiKey: 'optional',
  query: () => z.strictObject({ poolAddress: address() }),
  answer: () => ammBalance(),
});
