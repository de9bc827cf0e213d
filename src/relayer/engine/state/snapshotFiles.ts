import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Db } from '../../db/port.ts';
import { readRooted } from './rootedBlocks.ts';
import type { States } from './states.ts';

export const snapshotName = (blockId: number): string => `state-${blockId}.jsonl`;

/** Numbers of the blocks whose files are in the folder, the newest first. */
export const snapshotsIn = (folder: string): number[] =>
  readdirSync(folder)
    .flatMap((name) => /^state-([0-9]{1,15})\.jsonl$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => b - a);

/**
 * Begins at the newest snapshot that is a state of this exchange; at genesis when there is none.
 * @param blocks - Whose snapshots are tried, one after the other.
 */
export async function loadSnapshot(
  states: Pick<States, 'load'>,
  { db, folder, log, blocks }: { db: Db; folder: string; log: Logger; blocks: readonly number[] },
): Promise<void> {
  for (const blockId of blocks) {
    const path = join(folder, snapshotName(blockId));
    const [block] = await readRooted(db, blockId - 1, 1);
    try {
      if (block?.blockId !== blockId || !block.isFinal) throw new Error(`block ${blockId} is not final`);
      return await states.load(path, block.rootAfter);
    } catch (error) {
      log.error({ err: error, path }, 'a snapshot is not the state after its block');
    }
  }
}
