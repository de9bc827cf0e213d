import { once } from '../once.ts';
import { z } from '../zod.ts';

/** An integer of up to 256 bits as text: hex with 0x, or decimal digits. */
export const wordText = once(() =>
  z.pipe(
    z.string().check(z.regex(/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/, 'is no integer of up to 256 bits')),
    z.transform((text: string) => BigInt(text)),
  ),
);
