import { report } from '../report/report.ts';
import type { KeyValueArea } from './area.ts';
import type { StoredKey } from './storedValues.ts';

/**
 * Reads the form of a stored value: a schema, or a check by hand where no library may be loaded
 * yet.
 */
export interface Form<T> {
  safeParse(stored: unknown): { readonly data?: T | undefined };
}

/** The form of everything that passes one check. */
export const checked = <T>(isForm: (stored: unknown) => stored is T): Form<T> => ({
  safeParse: (stored) => (isForm(stored) ? { data: stored } : {}),
});

/**
 * Reads a stored value by its form. A value that cannot be read leaves a trace and counts as
 * absent.
 * @param key - Its row in the table of stored values.
 */
export function readStored<T>(key: StoredKey, form: Form<T>, stored: unknown): T | undefined {
  if (stored === undefined) return undefined;
  const { data } = form.safeParse(stored);
  const where = `storage: read ${key}`;
  if (data === undefined) report(where, new TypeError('not of its form'));
  return data;
}

type Area = 'local' | 'copy' | 'session';

/**
 * One row of the table of stored values as its reader and writer see it.
 * @param form - Built at the first read, see `once`.
 */
export const entry = <S extends Area, T>(
  areas: Readonly<Record<S, KeyValueArea>>,
  store: S,
  key: StoredKey<S>,
  form: () => Form<T>,
) => ({
  /** @param of - Rest of the key, where the row is only its beginning. */
  read: async (of = ''): Promise<T | undefined> => readStored(key, form(), await areas[store].get(key + of)),
  write: (value: T, of = ''): Promise<void> => areas[store].set({ [key + of]: value }),
  remove: (): Promise<void> => areas[store].remove([key]),
});
