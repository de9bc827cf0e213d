import { type StoredValue, storedValues } from '../../src/storage/storedValues.ts';

/** The row of a key; `undefined` for one that nothing may write. */
export const storedValueOf = (store: StoredValue['store'], key: string): StoredValue | undefined =>
  storedValues.find(
    (row) => row.store === store && (row.key === key || (row.key.endsWith(':') && key.startsWith(row.key))),
  );
