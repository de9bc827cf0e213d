import { z } from 'zod';
import { formatHash } from '../../src/protocol/formatHash.ts';
import {
  decodeBlock,
  formatError,
  nftDataOf,
  nftsOf,
  type ProvenNft,
  type PublishedBlock,
  RollupError,
  RollupState,
  replayBlock,
  type StateSnapshot,
  wordText,
} from '../../src/protocol/rollup/index.ts';

/** One line of a file of blocks. Further members are allowed. */
const publishedLine = z.object({
  data: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})*$/, 'is not 0x and whole bytes')
    .transform((text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'))),
  rootBefore: wordText(),
  rootAfter: wordText(),
  publicDataHash: z.optional(wordText()),
  blockId: z.int().min(0).optional(),
});

/** What replaying found. */
export interface ReplayResult {
  /** Blocks that were applied, the one that differs included. */
  readonly replayed: number;
  /**
   * Of these, blocks that came without `publicDataHash`: nothing covers those of their bytes that
   * change no state.
   */
  readonly withoutHash: number;
  /** Number of the last block that did not differ; 0 for none. */
  readonly last: number;
  /** Whether the snapshot was compared with its own block. */
  readonly isCompared: boolean;
  /** 1 when a block or the snapshot differs: nothing behind it can be checked. */
  readonly differ: 0 | 1;
  /** The state after all blocks; none when one differs, because it may be half changed. */
  readonly state: RollupState | undefined;
  /** The NFTs of that state by `nftData`. */
  readonly nfts: ReadonlyMap<bigint, ProvenNft>;
}

/** Where replaying begins and ends, and what it compares. */
export interface ReplayOptions {
  /** Address to which all blocks have to belong; that of the first block when left out. */
  readonly exchange?: bigint | undefined;
  /** The state to begin with, as `readSnapshot` gives it; genesis when left out. It is changed. */
  readonly snapshot?: StateSnapshot | undefined;
  /** Number of the last block that is taken, not before the snapshot; all when left out. */
  readonly until?: number | undefined;
}

/** @throws {RollupError} `format` when the line is not a block in the form of the file. */
function readLine(line: string): PublishedBlock & { readonly blockId?: number | undefined } {
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
 * Compares a snapshot with what a block says about it: its own one, or the first one behind it.
 * @throws {RollupError} `snapshot`.
 */
function checkSnapshot(snapshot: StateSnapshot, blockId: number, data: Uint8Array): void {
  const { rootBefore, rootAfter } = decodeBlock(data).header;
  const isOwn = blockId === snapshot.blockId;
  const said = isOwn ? rootAfter : rootBefore;
  if (said === snapshot.root) return;
  throw new RollupError(
    'snapshot',
    `its state has root ${formatHash(snapshot.root)}, block ${blockId} ${isOwn ? 'ends' : 'begins'} at root ${formatHash(said)}`,
  );
}

/**
 * Rebuilds the state from genesis or a snapshot, block by block, and stops at the first block that
 * is not what it says.
 * @param lines - JSON, one block each, in block order; empty lines are passed over, and blocks that
 *   the snapshot has already. Lines without `blockId` are counted from where it begins.
 * @param say - Gets one sentence a block.
 */
export async function replayBlocks(
  lines: AsyncIterable<string> | Iterable<string>,
  { exchange, snapshot, until = Number.POSITIVE_INFINITY }: ReplayOptions,
  say: (line: string) => void,
): Promise<ReplayResult> {
  const nfts = new Map(snapshot?.nfts);
  const state = snapshot?.state ?? new RollupState();
  let expected = exchange;
  let replayed = 0;
  let withoutHash = 0;
  let isCompared = false;
  let last = snapshot?.blockId ?? 0;
  const first = last + 1;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    let number = last + 1;
    try {
      const { blockId = number, ...block } = readLine(line);
      number = blockId;
      if (number > until) break;
      if (snapshot && (number === snapshot.blockId || (number >= first && replayed === 0)))
        checkSnapshot(snapshot, number, block.data);
      isCompared ||= number === snapshot?.blockId;
      if (snapshot && number < first) continue;
      const { header, transactions } = replayBlock(state, {
        ...block,
        ...(expected !== undefined && { exchange: expected }),
      });
      replayed++;
      if (block.publicDataHash === undefined) withoutHash++;
      expected ??= header.exchange;
      last = number;
      for (const nft of nftsOf(transactions, state)) nfts.set(nftDataOf(nft), nft);
      say(`block ${number}: ${transactions.length} transactions, root ${formatHash(state.root())}`);
    } catch (error) {
      if (!(error instanceof RollupError)) throw error;
      const isSnapshot = error.rule === 'snapshot';
      say(`${isSnapshot ? 'the snapshot' : `block ${number}`} differs, rule ${error.rule}: ${error.message}`);
      replayed += isSnapshot ? 0 : 1;
      return { replayed, withoutHash, last, isCompared, differ: 1, state: undefined, nfts };
    }
  }
  return { replayed, withoutHash, last, isCompared, differ: 0, state, nfts };
}
