import { z } from 'zod';
import { deferred } from './deferred.ts';
import { SUCCESS_CODE } from './errors.ts';

/** Body of a refusal: `resultInfo` alone, with HTTP status 400 (429 above the rate limit). */
export const refusalBody = deferred(() =>
  z.looseObject({
    resultInfo: z.looseObject({
      code: z.int().describe('Refusal code; 0 is no refusal'),
      message: z.string().describe('For debugging, not for users'),
    }),
  }),
);
export type RefusalBody = z.output<typeof refusalBody>;

/** What a relayer refused: its code and its text for debugging. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

const resultInfo = deferred(() =>
  z.looseObject({
    resultInfo: z.looseObject({ code: z.int(), message: z.string().optional(), msg: z.string().optional() }),
  }),
);
const topLevel = deferred(() => z.looseObject({ code: z.int(), msg: z.string() }));

/**
 * The refusal in a JSON body, or `null` when there is none. It is one when `resultInfo` carries another code than 0 or
 * stands alone; the text may be in `message` or `msg`. A top-level `{ code, msg }`, which one documentation page shows, is
 * read the same way.
 */
export function refusalOf(body: unknown): Refusal | null {
  const inner = resultInfo.safeParse(body);
  if (inner.success) {
    const { code, message, msg } = inner.data.resultInfo;
    const alone = Object.keys(inner.data).length === 1;
    return code !== SUCCESS_CODE || alone ? { code, message: message ?? msg ?? '' } : null;
  }
  const outer = topLevel.safeParse(body);
  return outer.success && outer.data.code !== SUCCESS_CODE ? { code: outer.data.code, message: outer.data.msg } : null;
}
