import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processIdentity } from './processIdentity.ts';

/** Two PGlite processes on one folder destroy it; PGlite itself does not notice. */
class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

/**
 * Takes a folder for this process alone, also from a process that has died.
 * @returns Gives it back.
 * @throws {DataDirInUseError} another live process holds the folder.
 */
export function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'relayer.lock');
  // A link exists whole or not at all, so no other start ever reads a file that is half written.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, processIdentity(process.pid));
  try {
    while (!isLinked(own, file)) {
      const holder = readFileSync(file, 'utf8');
      if (isAlive(holder))
        throw new DataDirInUseError(`the data directory ${dataDir} is in use by the process ${holder.split(' ')[0]}`);
      // Another start may have found the same dead holder and taken the folder since: then its file
      // goes back.
      const taken = `${own}.taken`;
      renameSync(file, taken);
      if (readFileSync(taken, 'utf8') !== holder) isLinked(taken, file);
      rmSync(taken, { force: true });
    }
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/** Gives a file a second name. @returns False when the name is taken. */
function isLinked(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
