import type { FeeList } from '../../operations/feeBounds.ts';
import { once } from '../../protocol/once.ts';
import { z } from '../../protocol/zod.ts';

const fees = once(() => z.record(z.string(), z.record(z.string(), z.string().check(z.regex(/^\d{1,78}$/)))));

/** The fees of an exchange as they were first seen. `undefined` when there are none, or none that can be read. */
export const readFeePins = (stored: unknown): FeeList | undefined => fees().safeParse(stored).data;
