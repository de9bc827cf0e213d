import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { lockFolder } from './folderLock.ts';
import { type Db, INT8_OID, NUMERIC_OID, type Sql, toWire, withRetry } from './port.ts';

/**
 * PostgreSQL inside the process. One connection, so transactions run one after another. Writes
 * reach the operating system before a commit returns (a killed process loses nothing), but are not
 * synced to the disk (a power cut can lose the last commits): right for development, demo and
 * tests; an operator runs PostgreSQL.
 * @param dataDir - folder that survives restarts; in memory when absent.
 * @throws {DataDirInUseError} another live process holds the folder.
 */
export async function openPglite(dataDir?: string): Promise<Db> {
  const unlock = dataDir === undefined ? () => {} : lockFolder(dataDir);
  const options = {
    parsers: { [INT8_OID]: (text: string) => Number(text), [NUMERIC_OID]: (text: string) => BigInt(text) },
  };
  const pglite =
    dataDir === undefined ? new PGlite({ ...options, ...template() }) : new PGlite(join(dataDir, 'pgdata'), options);
  try {
    await pglite.waitReady;
  } catch (error) {
    unlock();
    throw error;
  }
  const over = (runner: Pick<PGlite | Transaction, 'query'>): Sql => ({
    query: async <Row>(text: string, values: readonly Parameters<typeof toWire>[0][] = []) =>
      (await runner.query<Row>(text, values.map(toWire))).rows,
  });
  return {
    kind: 'pglite',
    ...over(pglite),
    transaction: (work) => withRetry(() => pglite.transaction((tx) => work(over(tx)))),
    script: async (text) => {
      await pglite.exec(text);
    },
    connections: () => ({ used: 0, waiting: 0 }),
    close: async () => {
      await pglite.close();
      unlock();
    },
  };
}

/**
 * An empty cluster to begin with, where the tests have prepared one: making it is most of the time
 * of a start.
 */
function template(): { loadDataDir?: Blob } {
  const path = process.env.COUNTERSIGN_PGLITE_TEMPLATE;
  return path === undefined ? {} : { loadDataDir: new Blob([readFileSync(path)]) };
}
