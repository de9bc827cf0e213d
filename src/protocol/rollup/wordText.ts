import { z } from 'zod';

/** An integer of up to 256 bits as text: hex with 0x, or decimal digits. */
export const wordText = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/, 'is no integer of up to 256 bits')
  .transform(BigInt);
