import { promisifyRequest, type UseStore } from 'idb-keyval';

/**
 * A store for idb-keyval whose write transactions resolve only after the data was flushed to disk.
 *
 * Chromium's default (`relaxed`) reports success while the bytes may still sit in the operating
 * system's cache. A cursor must be on disk before the signature with its storage id leaves: after a
 * power cut the same id could otherwise be handed out a second time.
 *
 * @param databaseName - One database for each store, since an object store is only made when its
 *   database is made.
 * @param factory - Where databases live; the browser's own by default.
 * @see https://w3c.github.io/IndexedDB/#transaction-durability-hint
 */
export const createStrictStore = (databaseName: string, storeName: string, factory?: IDBFactory): UseStore =>
  createStores(databaseName, storeName, factory).strict;

/** Opening takes milliseconds, on a busy machine a second or two. */
const OPEN_WITHIN_MS = 10_000;

/** A strict store, and a relaxed one over the same database for what a power cut may undo. */
export function createStores(
  databaseName: string,
  storeName: string,
  factory: IDBFactory = indexedDB,
  openWithinMs = OPEN_WITHIN_MS,
): { readonly strict: UseStore; readonly relaxed: UseStore } {
  let opening: Promise<IDBDatabase> | undefined;

  const open = (): Promise<IDBDatabase> => {
    if (opening) return opening;
    const request = factory.open(databaseName);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    const promise = answered(request, databaseName, openWithinMs);
    opening = promise;
    const forget = () => {
      if (opening === promise) opening = undefined;
    };
    promise.then((database) => {
      database.onclose = forget;
      // Another context wants to delete the database (wipe): an open connection would block it for
      // ever.
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
  return { strict: storeOf('strict'), relaxed: storeOf('relaxed') };
}

/**
 * The database, or an error when the browser keeps the request waiting, as one that is blocked or
 * broken may for ever.
 */
function answered(request: IDBOpenDBRequest, databaseName: string, withinMs: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new DOMException(`the database ${databaseName} did not open within ${withinMs} ms`, 'TimeoutError'));
    }, withinMs);
    promisifyRequest(request).then(
      (database) => {
        clearTimeout(timer);
        if (isLate) database.close();
        else resolve(database);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
