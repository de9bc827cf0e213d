import { described } from './described.ts';
import { doc } from './doc.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Why something is refused. */
export const refusal = once(() =>
  z.looseObject({
    code: described(z.int(), doc?.('Refusal code; 0 is no refusal')),
    message: described(z.string(), doc?.('What is wrong; for debugging, not for users')),
  }),
);

/** Body of a refusal: `resultInfo` alone, with HTTP status 400 (429 above the rate limit). */
export const refusalBody = once(() => z.looseObject({ resultInfo: refusal() }));
