import { z } from 'zod';
import type { FeeList } from '../../operations/feeBounds.ts';
import { deferred } from '../../protocol/deferred.ts';

const fees = deferred(() => z.record(z.string(), z.record(z.string(), z.string().regex(/^\d{1,78}$/))));

/** The fees of an exchange as they were first seen. `undefined` when there are none, or none that can be read. */
export const readFeePins = (stored: unknown): FeeList | undefined => fees.safeParse(stored).data;
