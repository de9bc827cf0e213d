import { formatHash } from '../formatHash.ts';
import { type Block, decodeBlock, publicDataHash } from './blockData.ts';
import { RollupError } from './rollupError.ts';
import type { RollupState } from './state.ts';
import { applyBlock } from './transition.ts';

/** A block and what somebody says about it. */
export interface PublishedBlock {
  readonly data: Uint8Array;
  /**
   * Roots beside the bytes, when they are published separately; they have to equal those in the
   * header.
   */
  readonly rootBefore?: bigint;
  readonly rootAfter?: bigint;
  /**
   * SHA-256 of the bytes, as layer 1 keeps it. It alone covers the bytes that do not change the
   * state.
   */
  readonly publicDataHash?: bigint;
  /** Address of the exchange to which the block has to belong. */
  readonly exchange?: bigint;
}

function checkRoot(rule: 'root-before' | 'root-after', expected: bigint, actual: bigint, subject: string): void {
  if (actual !== expected)
    throw new RollupError(rule, `${subject} ${formatHash(actual)}, the state's is ${formatHash(expected)}`);
}

/**
 * Takes one block into the state, from its bytes alone, and compares everything that was said about
 * it.
 * @param state - The state before the block; not to be used any more when this throws.
 * @returns The decoded block.
 * @throws {RollupError} The first rule that is broken.
 */
export function replayBlock(state: RollupState, published: PublishedBlock): Block {
  const { data } = published;
  const block = decodeBlock(data);
  const { header } = block;
  if (published.exchange !== undefined && header.exchange !== published.exchange)
    throw new RollupError('exchange', 'the header names another exchange');
  const before = state.root();
  checkRoot('root-before', before, header.rootBefore, 'the header begins at root');
  checkRoot('root-before', before, published.rootBefore ?? before, 'the block is said to begin at root');
  applyBlock(state, block);
  // After the rules that can name a transaction.
  if (published.publicDataHash !== undefined && publicDataHash(data) !== published.publicDataHash)
    throw new RollupError('public-data-hash', 'the bytes do not have the published hash');
  const after = state.root();
  checkRoot('root-after', after, header.rootAfter, 'the header ends at root');
  checkRoot('root-after', after, published.rootAfter ?? after, 'the block is said to end at root');
  return block;
}
