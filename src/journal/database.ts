import { promisifyRequest, type UseStore } from 'idb-keyval';
import type { StorageParity } from '../protocol/storageId.ts';
import type { z } from '../protocol/zod.ts';
import { inTransaction } from '../storage/transaction.ts';
import { asJournalError, JournalError } from './errors.ts';
import { type SubmissionRecord, submissionRecordSchema } from './record.ts';

export type AccountRef = { readonly networkId: string; readonly accountId: number };
export type CursorRef = AccountRef & { readonly tokenId: number; readonly parity: StorageParity };
/** Where a counter of storage ids belongs: all networks of one exchange share it. */
export type CursorKey = Omit<CursorRef, 'networkId'> & { readonly exchange: string };

/** The journal's keys. Arrays sort element by element, so each kind is one range. */
export const keys = {
  sequence: ['sequence'],
  submission: (id: string) => ['submission', id],
  /** (origin, requestId) → submission id. */
  request: (origin: string, requestId: string) => ['request', origin, requestId],
  /** Network id → exchange to which its cursors and slots were moved. */
  exchange: (networkId: string) => ['exchange', networkId],
  cursor: (ref: CursorKey) => ['cursor', ref.exchange, ref.accountId, ref.tokenId, ref.parity],
  slot: (ref: CursorKey, slot: number) => ['slot', ref.exchange, ref.accountId, ref.tokenId, slot],
  /** seq → id of each final submission, so that trimming never reads the records. */
  final: (seq: number) => ['final', seq],
  /** seq → id and last look of a final submission that is still looked up. */
  watch: (seq: number) => ['watch', seq],
  rule: (ruleId: string) => ['rule', ruleId],
};

/** All keys that begin with `kind`: in IndexedDB an array sorts after every string and number. */
export function rangeOf(kind: 'submission' | 'exchange' | 'cursor' | 'final' | 'watch'): IDBKeyRange {
  return IDBKeyRange.bound([kind], [kind, []]);
}

/** All cursors, or all slots, that are kept under one network id or exchange. */
export const rangeUnder = (kind: 'cursor' | 'slot', place: string): IDBKeyRange =>
  IDBKeyRange.bound([kind, place], [kind, place, []]);

/**
 * See `inTransaction`.
 * @throws {JournalError} `storage`, `storage-full`, and what `work` throws.
 */
export async function transact<T>(store: UseStore, work: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(store, work);
  } catch (error) {
    throw asJournalError(error);
  }
}

export async function readOnly<T>(store: UseStore, work: (objects: IDBObjectStore) => Promise<T>): Promise<T> {
  try {
    return await store('readonly', work);
  } catch (error) {
    throw asJournalError(error);
  }
}

/** Reads one entry. @throws {JournalError} `corrupt`. */
export async function read<Schema extends z.ZodMiniType>(
  objects: IDBObjectStore,
  key: readonly (string | number)[],
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const value = await promisifyRequest(objects.get([...key]));
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new JournalError('corrupt', `the journal entry ${key.join('/')} is damaged or newer`);
  return parsed.data;
}

export async function readSubmission(objects: IDBObjectStore, id: string): Promise<SubmissionRecord> {
  const record = await read(objects, keys.submission(id), submissionRecordSchema());
  if (!record) throw new JournalError('not-found', `there is no submission ${id}`, { submissionId: id });
  return record;
}
