import 'fake-indexeddb/auto';
import { isDeepStrictEqual } from 'node:util';
import { IDBFactory } from 'fake-indexeddb';
import type { JournalOptions } from '../../src/journal/createJournal.ts';
import type { CursorRef } from '../../src/journal/database.ts';
import { createJournal, type Journal, type SubmissionDraft } from '../../src/journal/index.ts';
import { createStores } from '../../src/storage/stores.ts';
import { createFaultyStore } from '../support/faultyStore.ts';

export const network = { networkId: 'local', accountId: 10005 };
export const cursorRef = { ...network, tokenId: 1, parity: 'order' as const };

/** Each network leads to an exchange of its own. */
export const ownExchange = async (networkId: string) => ({ id: networkId, networkIds: [networkId] });

/** A database that outlives its journals: `restart` is a worker that was killed and came back. */
export function createHarness({
  errorName,
  ...history
}: NonNullable<JournalOptions['history']> & { readonly errorName?: string } = {}) {
  const factory = new IDBFactory();
  /** The database as another context of the extension opens it. */
  const connect = () => createStores('journal', 'entries', factory).strict;
  const faulty = createFaultyStore(connect(), errorName);
  let numbers = 0;
  const clock = { ms: 1_800_000_000_000 };
  const start = (store = faulty.store) =>
    createJournal({
      store,
      exchangeOf: ownExchange,
      now: () => clock.ms++,
      uuid: () => `submission-${String(++numbers).padStart(4, '0')}`,
      history,
    });
  return { ...faulty, clock, connect, start };
}

let requests = 0;

export function draftOf(changes: Partial<SubmissionDraft> = {}): SubmissionDraft {
  return {
    ...network,
    origin: 'https://dex.example',
    requestId: `request-${++requests}`,
    operation: 'submitOrder',
    draft: { sellToken: { tokenId: 1, volume: '1000' } },
    reviewDigest: '0xd16e57',
    validUntil: 1_800_000_600,
    ...changes,
  };
}

/** The next id of a cursor, or undefined before its first use. */
export async function nextOf(
  journal: Pick<Journal, 'exportAll'>,
  { networkId, accountId, tokenId, parity }: CursorRef,
  exchange = networkId,
): Promise<unknown> {
  const isMeant = (key: object) => isDeepStrictEqual(key, { exchange, accountId, tokenId, parity });
  return (await journal.exportAll()).cursors.find(({ next: _, ...key }) => isMeant(key))?.next;
}

export const slotRequest = { tokenId: 1, parity: 'order' as const, nextFromRelayer: 20 };

export const payload = {
  hash: `0x${'ab'.repeat(32)}`,
  wire: { endpoint: 'submitOrder', bodyText: '{"accountId":10005}' },
};
