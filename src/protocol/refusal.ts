import { described } from './described.ts';
import { doc } from './doc.ts';
import { SUCCESS_CODE } from './errors.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Body of a refusal: `resultInfo` alone, with HTTP status 400 (429 above the rate limit). */
export const refusalBody = once(() =>
  z.looseObject({
    resultInfo: z.looseObject({
      code: described(z.int(), doc?.('Refusal code; 0 is no refusal')),
      message: described(z.string(), doc?.('For debugging, not for users')),
    }),
  }),
);
export type RefusalBody = z.output<ReturnType<typeof refusalBody>>;

/** What a relayer refused: its code and its text for debugging. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

const resultInfo = once(() =>
  z.looseObject({
    resultInfo: z.looseObject({ code: z.int(), message: z.optional(z.string()), msg: z.optional(z.string()) }),
  }),
);
const topLevel = once(() => z.looseObject({ code: z.int(), msg: z.string() }));

/**
 * The refusal in a JSON body, or `null` when there is none. It is one when `resultInfo` carries another code than 0 or
 * stands alone; the text may be in `message` or `msg`. A top-level `{ code, msg }`, which one documentation page shows, is
 * read the same way.
 */
export function refusalOf(body: unknown): Refusal | null {
  const inner = resultInfo().safeParse(body);
  if (inner.success) {
    const { code, message, msg } = inner.data.resultInfo;
    const alone = Object.keys(inner.data).length === 1;
    return code !== SUCCESS_CODE || alone ? { code, message: message ?? msg ?? '' } : null;
  }
  const outer = topLevel().safeParse(body);
  return outer.success && outer.data.code !== SUCCESS_CODE ? { code: outer.data.code, message: outer.data.msg } : null;
}
