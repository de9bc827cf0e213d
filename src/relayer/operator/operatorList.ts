import { z } from 'zod';
import type { Relayer } from '../engine/relayer.ts';

/**
 * Something that the operator may look at: `GET /operator/<name>?after=&limit=`, in the order of a
 * number in each row.
 */
export interface OperatorList {
  /** One sentence, for the command's help. */
  readonly summary: string;
  /** Rows whose number is greater than `after`, at most `limit`. */
  readonly rows: (relayer: Relayer, page: { after: number; limit: number }) => Promise<readonly object[]>;
}

/** A list whose rows are answered as the query gives them; `$1` is `after` and `$2` is `limit`. */
export const plainList = (summary: string, sql: string): OperatorList => ({
  summary,
  rows: ({ db }, { after, limit }) => db.query(sql, [after, limit]),
});

/** The query of every list. */
export const listQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('number of the last row of the page before'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('rows'),
});
