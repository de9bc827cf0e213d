import type { Extension } from './extension.ts';

/** Everything that the extension keeps, as text: both storage areas and every IndexedDB record. */
export async function keptBy(extension: Extension): Promise<{ local: string; session: string; databases: string }> {
  const page = await extension.open('src/ui/popup.html');
  const all = await page.evaluate(async () => {
    const text = (value: unknown) =>
      JSON.stringify(value, (_key, item) => (ArrayBuffer.isView(item) ? Array.from(item as Uint8Array) : item));
    const open = (name: string) =>
      new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
    const records: unknown[] = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await open(name ?? '');
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll();
        records.push(
          await new Promise((resolve) => reading.addEventListener('success', () => resolve(reading.result))),
        );
      }
      database.close();
    }
    return {
      local: text(await chrome.storage.local.get()),
      session: text(await chrome.storage.session.get()),
      databases: text(records),
    };
  });
  await page.close();
  return all;
}
