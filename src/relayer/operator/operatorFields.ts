import { z } from 'zod';

/** Why something is done, for the audit log. */
export const reason = z
  .string()
  .min(1, 'is empty')
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'has control characters')
  .describe('why, for the audit log');
