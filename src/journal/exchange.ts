import { promisifyRequest } from 'idb-keyval';
import { keys, rangeOf, rangeUnder } from './database.ts';
import { cursorSchema, cursorVersion, slotEntrySchema } from './record.ts';

/**
 * One exchange contract on one chain, under whatever URLs its relayer is reached. Signatures name
 * the contract and not the URL, so a storage id that was used through one network is used for all.
 */
export interface Exchange {
  /** `chainId:address`, lower case. */
  readonly id: string;
  /** Every network of the wallet that leads to it. */
  readonly networkIds: readonly string[];
}

/** Networks whose cursors and slots are still kept by network id, as earlier versions did. */
export async function notMoved(objects: IDBObjectStore, { id, networkIds }: Exchange): Promise<readonly string[]> {
  const moved = await Promise.all(
    networkIds.map((networkId) => promisifyRequest<unknown>(objects.get(keys.exchange(networkId)))),
  );
  return networkIds.filter((networkId, index) => networkId !== id && moved[index] !== id);
}

/** Where the cursors and slots of a network are, inside a transaction. */
export const placeOf = async (objects: IDBObjectStore, networkId: string): Promise<string> =>
  (await promisifyRequest<string | undefined>(objects.get(keys.exchange(networkId)))) ?? networkId;

/** Every exchange that something was signed for, also where its networks were removed since. */
export async function usedExchanges(objects: IDBObjectStore): Promise<readonly string[]> {
  const ids = await promisifyRequest<unknown[]>(objects.getAll(rangeOf('exchange')));
  return ids.filter((id) => typeof id === 'string');
}

/** Every network that leads to an exchange, also those that were removed since. */
export async function networksOf(objects: IDBObjectStore, of: Exchange): Promise<readonly unknown[]> {
  const range = rangeOf('exchange');
  const [rows, ids] = await Promise.all([
    promisifyRequest(objects.getAllKeys(range)),
    promisifyRequest<unknown[]>(objects.getAll(range)),
  ]);
  return [...of.networkIds, ...rows.flatMap((row, index) => (ids[index] === of.id ? [(row as string[])[1]] : []))];
}

/**
 * Moves the cursors and slots of networks to their exchange, inside the caller's write transaction.
 * Of two cursors the higher one counts, and a slot that is open in one network is open. What
 * another transaction has moved meanwhile stays: moved onto itself, it would be deleted.
 */
export async function moveToExchange(objects: IDBObjectStore, of: Exchange): Promise<void> {
  const exchange = of.id;
  for (const networkId of await notMoved(objects, of)) {
    const before = await placeOf(objects, networkId);
    for (const key of (await promisifyRequest(objects.getAllKeys(rangeUnder('cursor', before)))) as string[][]) {
      const target = [key[0], exchange, ...key.slice(2)] as string[];
      const old = cursorSchema().safeParse(await promisifyRequest<unknown>(objects.get(key))).data;
      const stored = await promisifyRequest<unknown>(objects.get(target));
      const there = cursorSchema().safeParse(stored).data;
      // What cannot be read stays where it is, and the relayer is asked for its next id.
      if (!old || (stored !== undefined && !there)) continue;
      objects.put({ version: cursorVersion, next: Math.max(old.next, there?.next ?? 0) }, target);
      objects.delete(key);
    }
    for (const key of (await promisifyRequest(objects.getAllKeys(rangeUnder('slot', before)))) as string[][]) {
      const target = [key[0], exchange, ...key.slice(2)] as string[];
      const old = slotEntrySchema().safeParse(await promisifyRequest<unknown>(objects.get(key))).data;
      const stored = await promisifyRequest<unknown>(objects.get(target));
      const there = slotEntrySchema().safeParse(stored).data;
      // A slot that cannot be read is never given out again, so nothing takes its place.
      if (!old || (stored !== undefined && !there)) continue;
      const { open, highest, heldUntil = 0 } = there ?? { open: [], highest: 0 };
      objects.put(
        {
          version: 1,
          highest: Math.max(old.highest, highest),
          open: [...new Set([...old.open, ...open])],
          heldUntil: Math.max(old.heldUntil ?? 0, heldUntil),
        },
        target,
      );
      objects.delete(key);
    }
    objects.put(exchange, keys.exchange(networkId));
  }
}
