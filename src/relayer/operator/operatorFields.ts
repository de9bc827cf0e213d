import { z } from 'zod';
import { described } from '../../protocol/described.ts';
import { accountId, address } from '../../protocol/fields.ts';
import { ZERO_ADDRESS } from '../../protocol/limits.ts';

/** Why something is done, for the audit log. */
export const reason = z
  .string()
  .min(1, 'is empty')
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'has control characters')
  .describe('why, for the audit log');

/** Any address but the zero address, which nobody owns. */
export const nonZeroAddress = (text: string) =>
  described(address().check(z.refine((owner) => owner !== ZERO_ADDRESS, 'is the zero address')), text);

export const marketName = z.string().max(64).describe('market, such as LRC-ETH');

export const userAccountId = described(accountId(), 'account of a user');
