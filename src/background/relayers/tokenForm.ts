import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

export const tokenForm = once(() =>
  z.object({
    tokenId: z.int().check(z.minimum(0)),
    symbol: z.string(),
    name: z.string(),
    address: z.string(),
    decimals: z.int().check(z.minimum(0), z.maximum(255)),
  }),
);
