import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processIdentity } from './processIdentity.ts';

/** Two PGlite processes on one folder destroy it; PGlite itself does not notice. */
class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
}

/**
 * Takes a folder for this process alone, also from a process that has died.
 * @returns Gives it back.
 * @throws {DataDirInUseError} another live process holds the folder, or is taking it.
 */
export function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'relayer.lock');
  // A link exists whole or not at all, so no other start ever reads a file that is half written.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, processIdentity(process.pid));
  try {
    const holder = take(own, file);
    if (holder !== undefined)
      throw new DataDirInUseError(`the data directory ${dataDir} is in use by the process ${holder.split(' ')[0]}`);
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(file, { force: true });
}

/**
 * Gives the own file the name of the lock, in place of a dead holder's.
 * @returns The live process that holds the lock or is taking it; `undefined` when this one has it.
 */
function take(own: string, lock: string): string | undefined {
  while (!isLinked(own, lock)) {
    const holder = contentOf(lock);
    if (holder === undefined) continue;
    if (isAlive(holder)) return holder;
    // Several starts find the same dead holder, and one may have the lock before another removes
    // what it found. So one at a time removes, and only what it still finds.
    const remover = `${lock}.remove`;
    const other = take(own, remover);
    if (other !== undefined) return other;
    if (contentOf(lock) === holder) rmSync(lock);
    rmSync(remover);
  }
  return undefined;
}

/** @returns `undefined` for a file that is not there. */
function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
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
