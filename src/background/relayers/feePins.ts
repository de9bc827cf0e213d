import type { FeeList } from '../../operations/feeBounds.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

const fees = once(() => z.record(z.string(), z.record(z.string(), z.string().check(z.regex(/^\d{1,78}$/)))));

/**
 * The fees of an exchange as they were first seen. `undefined` when it listed none yet, or none
 * that can be read.
 */
export function readFeePins(stored: unknown): FeeList | undefined {
  const { data } = fees().safeParse(stored);
  return Object.values(data ?? {}).some((list) => Object.keys(list).length > 0) ? data : undefined;
}
