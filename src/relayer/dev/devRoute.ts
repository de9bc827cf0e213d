import type { z } from 'zod';
import type { Engine } from '../engine/engine.ts';
import type { Relayer } from '../engine/relayer.ts';

/**
 * A development helper: `POST /dev/<name>` with a JSON body. They move money and time without any
 * signature.
 */
export interface DevRoute<Schema extends z.ZodType> {
  readonly body: Schema;
  readonly handle: (relayer: Relayer, engine: Engine, body: z.output<Schema>) => Promise<object>;
}

export function devRoute<Schema extends z.ZodType>(route: DevRoute<Schema>): DevRoute<z.ZodType> {
  return route as unknown as DevRoute<z.ZodType>;
}
