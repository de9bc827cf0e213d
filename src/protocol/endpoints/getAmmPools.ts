import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { address, erc20TokenId, hash32, millisecondsOrText } from '../fields.ts';
import { once } from '../once.ts';
import { z } from '../zod.ts';

/** One pool. `name` and `version` enter its EIP-712 domain. */
const poolInfo = once(() =>
  z.looseObject({
    name: described(z.string().check(z.maxLength(256)), doc?.('Pool name, enters its EIP-712 domain')),
    market: described(z.string(), doc?.('Trading pair, BASE-QUOTE')),
    address: described(address(), doc?.('Pool contract')),
    version: described(z.string(), doc?.('EIP-712 domain version')),
    tokens: described(
      z.looseObject({
        pooled: described(
          z.array(erc20TokenId()).check(z.minLength(2), z.maxLength(16)),
          doc?.('Pooled tokens; pool requests keep this order'),
        ),
        lp: described(erc20TokenId(), doc?.('LP token')),
      }),
      doc?.('Token ids'),
    ),
    feeBips: described(z.int(), doc?.('Pool fee in ten-thousandths')),
    precisions: described(
      z.optional(
        z.looseObject({
          price: described(z.int(), doc?.('Digits of a price')),
          amount: described(z.int(), doc?.('Digits of an amount')),
        }),
      ),
      doc?.('Digits shown'),
    ),
    createdAt: z.optional(millisecondsOrText()),
    status: described(z.optional(z.int()), doc?.('Bits: 1 exit, 2 join, 4 swap, 8 shown, 16 risky')),
    domainSeparator: described(
      z.optional(hash32()),
      doc?.('Compare with the one computed from name, chain and address'),
    ),
  }),
);

export const getAmmPools = readEndpoint({
  path: '/api/v3/amm/pools',
  summary: doc?.('The AMM pools'),
  apiKey: 'none',
  answer: () => z.looseObject({ pools: described(z.array(poolInfo()), doc?.('The pools')) }),
});
