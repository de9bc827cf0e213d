import { clear, promisifyRequest, type UseStore } from 'idb-keyval';
import { report } from '../report/report.ts';

/** Whether disk or quota are full. Chromium's `storage.local` says so only in its message. */
export const isFull = (error: unknown): boolean => error instanceof Error && /quota/i.test(String(error));

/** For opening and deleting, which take milliseconds, on a busy machine a second or two. */
const ANSWERS_WITHIN_MS = 10_000;

export interface Stores {
  /**
   * For idb-keyval; a write transaction resolves only after the data was flushed to disk.
   * Chromium's default (`relaxed`) reports success while the bytes may still sit in the operating
   * system's cache. A cursor must be on disk before the signature with its storage id leaves: after
   * a power cut the same id could otherwise be handed out a second time.
   * @see https://w3c.github.io/IndexedDB/#transaction-durability-hint
   */
  readonly strict: UseStore;
  /** Over the same database, for what a power cut may undo. */
  readonly relaxed: UseStore;
  /**
   * Empties the database. One that cannot be opened or written is deleted, and made anew at its
   * next use.
   */
  erase(): Promise<void>;
}

/**
 * @param databaseName - One database for each store, since an object store is only made when its
 *   database is made.
 * @param factory - Where databases live; the browser's own by default.
 */
export function createStores(databaseName: string, storeName: string, factory: IDBFactory = indexedDB): Stores {
  let opening: Promise<IDBDatabase> | undefined;

  const open = (): Promise<IDBDatabase> => {
    if (opening) return opening;
    const request = factory.open(databaseName);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    const promise = answered(request, databaseName);
    opening = promise;
    const forget = () => {
      if (opening === promise) opening = undefined;
    };
    promise.then((database) => {
      database.onclose = forget;
      // The database is to be deleted: an open connection would block that for ever.
      database.onversionchange = () => {
        database.close();
        forget();
      };
    }, forget);
    return promise;
  };

  const storeOf =
    (durability: IDBTransactionDurability): UseStore =>
    async (mode, callback) => {
      const database = await open();
      const options: IDBTransactionOptions = mode === 'readwrite' ? { durability } : {};
      return callback(database.transaction(storeName, mode, options).objectStore(storeName));
    };
  const strict = storeOf('strict');
  return {
    strict,
    relaxed: storeOf('relaxed'),
    async erase() {
      try {
        await clear(strict);
      } catch (error) {
        report('wipe: a database', error);
        await answered(factory.deleteDatabase(databaseName), databaseName);
      }
    },
  };
}

/**
 * The database, nothing once it is deleted, or an error when the browser keeps the request waiting,
 * as one that is blocked or broken may for ever.
 */
function answered(request: IDBOpenDBRequest, databaseName: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      const message = `the database ${databaseName} did not answer within ${ANSWERS_WITHIN_MS} ms`;
      reject(new DOMException(message, 'TimeoutError'));
    }, ANSWERS_WITHIN_MS);
    promisifyRequest(request).then(
      (database) => {
        clearTimeout(timer);
        // A deletion answers with none.
        if (isLate) (database as IDBDatabase | undefined)?.close();
        else resolve(database);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
