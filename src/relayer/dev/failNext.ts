import { z } from 'zod';
import { faultSteps } from '../engine/faults.ts';
import { devRoute } from './devRoute.ts';

/** Makes the next `times` passes through a step of the engine fail as a broken database would. */
export const failNext = devRoute({
  body: z.strictObject({ step: z.enum(faultSteps), times: z.int().min(1).max(1000).default(1) }),
  handle: async (relayer, _engine, { step, times }) => {
    relayer.faults.arm(step, times);
    return { step, times };
  },
});
