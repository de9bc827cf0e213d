import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

export const tokenForm = once(() =>
  z.object({
    tokenId: z.int(),
    symbol: z.string(),
    name: z.string(),
    address: z.string(),
    decimals: z.int().check(z.minimum(0)),
  }),
);
