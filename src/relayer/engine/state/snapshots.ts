import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Db } from '../../db/port.ts';
import { readRooted } from './rootedBlocks.ts';
import { openStates } from './states.ts';

/** Writes the state after each finalized block into a folder. */
export interface Snapshots {
  /** Writes the missing snapshots; one round at a time. */
  write(): Promise<void>;
  close(): Promise<void>;
}

const snapshotName = (blockId: number): string => `state-${blockId}.jsonl`;

/** Numbers of the blocks whose files are in the folder, the newest first. */
const blocksIn = (folder: string): number[] =>
  readdirSync(folder)
    .flatMap((name) => /^state-([0-9]{1,15})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => b - a);

/**
 * A state of its own, in a thread of its own: it is behind the one that makes roots, by the blocks that are not final.
 * @param folder - Has to exist. Files that are there stay. It goes on behind the newest one that is a state of this exchange: older
 * ones that are missing were taken away.
 */
export function createSnapshots(db: Db, folder: string, log: Logger): Snapshots {
  const states = openStates(true);
  let running: Promise<void> | undefined;
  let lastError = '';
  let closed = false;
  const begin = async (): Promise<void> => {
    for (const blockId of blocksIn(folder)) {
      const path = join(folder, snapshotName(blockId));
      const [block] = await readRooted(db, blockId - 1, 1, true);
      try {
        if (block?.blockId !== blockId) throw new Error(`block ${blockId} is not final`);
        return await states.load(path, block.rootAfter);
      } catch (error) {
        log.error({ err: error, path }, 'a snapshot is not the state after its block');
      }
    }
  };
  const writeAll = async (): Promise<void> => {
    if ((await states.blockId()) === undefined) await begin();
    for (let found = true; found && !closed; ) {
      const after = (await states.blockId()) ?? -1;
      const [block] = await readRooted(db, after, 1, true);
      found = block !== undefined;
      if (!block) return;
      await states.follow([block]);
      const path = join(folder, snapshotName(block.blockId));
      if (!existsSync(path)) await states.snapshot(path);
    }
  };
  return {
    write: () => {
      running ??= writeAll()
        .then(
          () => {
            lastError = '';
          },
          (error) => {
            if (lastError !== String(error) && !closed) log.error({ err: error }, 'a snapshot could not be written');
            lastError = String(error);
          },
        )
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    close: async () => {
      closed = true;
      await running;
      await states.close();
    },
  };
}
