import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { entries } from 'idb-keyval';
import { createStores } from '../../src/storage/stores.ts';
import { fromEnvelope } from '../../src/vault/image.ts';
import { createVault, type KdfCost, kdfBounds, type VaultOptions } from '../../src/vault/index.ts';
import { createFaultyArea } from '../support/faultyArea.ts';
import { createFaultyStore } from '../support/faultyStore.ts';
import { createPromiseLock } from '../support/promiseLock.ts';
import { repeatedSalts } from '../support/repeatedSalts.ts';

/** The cheapest derivation that is allowed, so that tests are quick. */
export const cheap: KdfCost = { memoryKiB: kdfBounds.memoryKiB[0], passes: kdfBounds.passes[0], parallelism: 1 };

export const password = 'correct horse battery staple';
export const info = { id: 'eddsa:local/10005', account: 'local/10005', kind: 'eddsa-key' as const };

/** 32 bytes that are found again in a scan. */
export const canary = Uint8Array.from({ length: 32 }, (_, i) => 0xc0 ^ (i * 7));

/**
 * One browser profile: `start` is a worker of the same browser run, `restartBrowser` empties the
 * session area.
 * @param ownRandomness - Names and salts are no other harness's, which costs a derivation for each.
 */
export function createHarness(ownRandomness = false) {
  const random = ownRandomness ? {} : { randomBytes: repeatedSalts() };
  const database = createFaultyStore(createStores('vault', 'entries', new IDBFactory()).strict);
  const copy = createFaultyArea();
  const session = createFaultyArea();
  const clock = { ms: 1_800_000_000_000 };
  const startWith = (changes: Partial<VaultOptions>) =>
    createVault({
      stores: { primary: database.store, copy: copy.area, session: session.area },
      lock: createPromiseLock(),
      now: () => clock.ms,
      kdfCost: cheap,
      ...random,
      ...changes,
    });
  const start = (kdfCost: KdfCost = cheap) => startWith({ kdfCost });
  const readPrimary = (key: string) =>
    database.store(
      'readonly',
      (objects) =>
        new Promise<unknown>((resolve) => {
          const request = objects.get(key);
          request.onsuccess = () => resolve(request.result);
        }),
    );
  return {
    startWith,
    database,
    copy,
    session,
    clock,
    start,
    restartBrowser: () => session.entries.clear(),
    /** A vault with one secret, unlocked. */
    async filled() {
      const vault = start();
      await vault.create(password);
      await vault.putSecret(info, canary);
      return vault;
    },
    dumpDatabase: async () => JSON.stringify(await entries(database.store)),
    async writePrimary(key: string, value: unknown) {
      await database.store('readwrite', (objects) => {
        objects.put(value, key);
      });
    },
    readPrimary,
    /** Whether both stores have the same image in force. */
    async isInBoth(): Promise<boolean> {
      const inForce = async (get: (key: string) => Promise<unknown>) =>
        (await fromEnvelope(await get(`vault:${await get('vault:current')}`))).generation;
      return (await inForce(readPrimary)) === (await inForce(copy.area.get));
    },
    async removePrimary() {
      await database.store('readwrite', (objects) => {
        objects.clear();
      });
    },
  };
}

/** Reads the canary back through the vault. */
export const readCanary = (vault: ReturnType<typeof createVault>, id = info.id) =>
  vault.withSecret(id, (bytes) => Array.from(bytes));

/** The stored image as JSON, from a backup. */
export const imageOf = async (vault: ReturnType<typeof createVault>) =>
  JSON.parse(JSON.parse(await vault.exportBackup('')).vault.text);
