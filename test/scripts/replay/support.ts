import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayBlocks } from '../../../scripts/replay/replayBlocks.ts';
import { publicDataHash, type RollupState, writeSnapshot } from '../../../src/protocol/rollup/index.ts';

interface Block {
  data: string;
  rootAfter: string;
}

/** The blocks of a scenario of the protocol's own simulator, as lines of a file for the command. */
export function scenarioLines(scenario: number, withHash = true): string[] {
  const path = join(import.meta.dirname, '../../vectors/replay-vectors.json');
  const { blocks }: { blocks: Block[] } = JSON.parse(readFileSync(path, 'utf8')).scenarios[scenario];
  return blocks.map(({ data, rootAfter }) =>
    JSON.stringify({
      data,
      rootBefore: `0x${data.slice(42, 106)}`,
      rootAfter,
      ...(withHash && { publicDataHash: `0x${publicDataHash(bytesOf(data)).toString(16)}` }),
    }),
  );
}

const bytesOf = (data: string): Uint8Array => new Uint8Array(Buffer.from(data.slice(2), 'hex'));

/** The line with some members replaced. */
export const changedLine = (line: string, change: (block: Record<string, string>) => object): string => {
  const block = JSON.parse(line);
  return JSON.stringify({ ...block, ...change(block) });
};

/** The line with one byte of its block changed, `at` counted from the first byte. */
export const damagedLine = (line: string, at: number, mask = 1): string =>
  changedLine(line, ({ data = '' }) => {
    const bytes = bytesOf(data);
    bytes[at] = (bytes[at] as number) ^ mask;
    return { data: `0x${Buffer.from(bytes).toString('hex')}` };
  });

/** The lines with the numbers of their blocks, as a relayer publishes them. */
export const numbered = (lines: readonly string[]): string[] =>
  lines.map((line, index) => changedLine(line, () => ({ blockId: index + 1 }) as object));

/**
 * The snapshot after some blocks.
 * @param change - Makes it another state, with the root of that.
 */
export async function snapshotAfter(
  lines: readonly string[],
  change?: (state: RollupState) => void,
): Promise<string[]> {
  const { state, nfts } = await replayBlocks(lines, {}, () => {});
  if (!state) throw new Error('a block differs');
  change?.(state);
  return [...writeSnapshot(lines.length, state, nfts.values())];
}
