import { z } from 'zod';
import {
  formatError,
  nftDataOf,
  nftsOf,
  type ProvenNft,
  type PublishedBlock,
  RollupError,
  RollupState,
  replayBlock,
  wordText,
} from '../../src/protocol/rollup/index.ts';

/** One line of a file of blocks. Further members are allowed. */
const publishedLine = z.object({
  data: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})*$/, 'is not 0x and whole bytes')
    .transform((text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))),
  rootBefore: wordText,
  rootAfter: wordText,
  publicDataHash: z.optional(wordText),
  blockId: z.int().optional(),
});

/** What replaying found. */
export interface ReplayResult {
  /** Blocks that were looked at, the one that differs included. */
  readonly replayed: number;
  /** 1 when a block differs: nothing behind it can be checked. */
  readonly differ: 0 | 1;
  /** The state after all blocks; none when one differs, because it may be half changed. */
  readonly state: RollupState | undefined;
  /** The NFTs of that state by `nftData`. */
  readonly nfts: ReadonlyMap<bigint, ProvenNft>;
}

/** @throws {RollupError} `format` when the line is not a block in the form of the file. */
function readLine(line: string): PublishedBlock {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    throw new RollupError('format', `the line is not JSON: ${(error as Error).message}`);
  }
  const parsed = publishedLine.safeParse(json);
  if (parsed.success) {
    const { publicDataHash, ...block } = parsed.data;
    return publicDataHash === undefined ? block : { ...block, publicDataHash };
  }
  throw formatError(parsed.error);
}

/**
 * Rebuilds the state from genesis, block by block, and stops at the first block that is not what it says.
 * @param lines - JSON, one block each, in block order; empty lines are passed over.
 * @param exchange - Address to which all blocks have to belong; that of the first block when left out.
 * @param say - Gets one sentence a block.
 */
export async function replayBlocks(
  lines: AsyncIterable<string> | Iterable<string>,
  exchange: bigint | undefined,
  say: (line: string) => void,
): Promise<ReplayResult> {
  const nfts = new Map<bigint, ProvenNft>();
  const state = new RollupState();
  let expected = exchange;
  let replayed = 0;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    replayed++;
    try {
      const block = replayBlock(state, { ...readLine(line), ...(expected !== undefined && { exchange: expected }) });
      expected ??= block.header.exchange;
      for (const nft of nftsOf(block.transactions, state)) nfts.set(nftDataOf(nft), nft);
      say(
        `block ${replayed}: ${block.transactions.length} transactions, root 0x${state.root().toString(16).padStart(64, '0')}`,
      );
    } catch (error) {
      if (!(error instanceof RollupError)) throw error;
      say(`block ${replayed} differs, rule ${error.rule}: ${error.message}`);
      return { replayed, differ: 1, state: undefined, nfts };
    }
  }
  return { replayed, differ: 0, state, nfts };
}
