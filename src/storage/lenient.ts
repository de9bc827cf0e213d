import type { z } from 'zod/mini';

/** The readable elements of a stored list: one that is damaged or newer is left out alone. */
export const readableOf = <T>(element: z.ZodMiniType<T>, stored: unknown): T[] =>
  Array.isArray(stored) ? stored.flatMap((value) => element.safeParse(value).data ?? []) : [];

/** The readable fields of a stored object; the others have their defaults. */
export function readableFields<T extends object>(
  fields: { [K in keyof T]: z.ZodMiniType<T[K]> },
  stored: unknown,
  defaults: T,
): T {
  const given = (isRecord(stored) ? stored : {}) as Partial<Record<keyof T, unknown>>;
  const read = { ...defaults };
  for (const name of Object.keys(fields) as (keyof T)[]) {
    const parsed = fields[name].safeParse(given[name]);
    if (parsed.success) read[name] = parsed.data;
  }
  return read;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
