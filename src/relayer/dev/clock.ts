import { z } from 'zod';
import { devRoute } from './devRoute.ts';

/** Moves the relayer's clock forward. */
export const clock = devRoute({
  body: z.strictObject({
    advanceMs: z
      .int()
      .min(0)
      .max(10 * 366 * 86_400_000)
      .default(0),
  }),
  handle: async (relayer, engine, { advanceMs }) => {
    await relayer.clock.advance(advanceMs);
    engine.wake();
    return { timestamp: relayer.clock.now() };
  },
});
