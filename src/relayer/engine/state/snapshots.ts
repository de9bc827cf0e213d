import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Db } from '../../db/port.ts';
import { readRooted } from './rootedBlocks.ts';
import { loadSnapshot, snapshotName, snapshotsIn } from './snapshotFiles.ts';
import { openStates } from './states.ts';

/** A file may be some hundred megabytes, and a full disk is full for longer. */
const REST_MS = 60_000;

/** Writes the state after each finalized block into a folder. */
export interface Snapshots {
  /**
   * Writes the missing snapshots; one round at a time, and none within a minute after one that
   * failed.
   */
  write(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A state of its own, in a thread of its own: it is behind the one that makes roots, by the blocks
 * that are not final.
 * @param folder - Has to exist. Files that are there stay. It goes on behind the newest one that is
 *   a state of this exchange: older ones that are missing were taken away.
 */
export function createSnapshots(db: Db, folder: string, log: Logger): Snapshots {
  const states = openStates(true);
  let running: Promise<void> | undefined;
  let lastError = '';
  /** `performance.now()` of the next try after a failure. */
  let restsUntil = 0;
  let closed = false;
  /** Block after which the state stands, until its file is there. */
  let unwritten: number | undefined;
  const writeAll = async (): Promise<void> => {
    if ((await states.blockId()) === undefined) {
      // A thread that ended took the state with it.
      unwritten = undefined;
      await loadSnapshot(states, { db, folder, log, blocks: snapshotsIn(folder) });
    }
    while (!closed) {
      if (unwritten !== undefined) {
        const path = join(folder, snapshotName(unwritten));
        if (!existsSync(path)) await states.snapshot(path);
        unwritten = undefined;
      }
      const after = (await states.blockId()) ?? -1;
      const [block] = await readRooted(db, after, 1);
      // One that is final already may stand behind one that is not: other processes end blocks too.
      if (!block?.isFinal) return;
      await states.follow([block]);
      unwritten = block.blockId;
    }
  };
  return {
    write: async () => {
      if (performance.now() < restsUntil) return;
      running ??= writeAll()
        .then(
          () => {
            lastError = '';
          },
          (error) => {
            if (lastError !== String(error) && !closed)
              log.error({ err: error, path: folder }, 'a snapshot could not be written');
            lastError = String(error);
            restsUntil = performance.now() + REST_MS;
          },
        )
        .finally(() => {
          running = undefined;
        });
      await running;
    },
    close: async () => {
      closed = true;
      await running;
      await states.close();
    },
  };
}
