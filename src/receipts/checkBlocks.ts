import { hexToBytes } from '@noble/hashes/utils.js';
import type { BlockFault } from '../messaging/views.ts';
import type { Executed } from '../operations/execution.ts';
import { deadlineOf, operationNamed } from '../operations/index.ts';
import { publicDataHash, readBlock } from '../protocol/rollup/blockData.ts';
import { RollupError } from '../protocol/rollup/rollupError.ts';
import { readTransaction } from '../protocol/rollup/transactions.ts';
import type { Inclusion } from './receipt.ts';

interface Signed {
  readonly operation: string;
  readonly draft: unknown;
  readonly storageId: number | null;
  readonly network: { readonly exchange: string };
}

type ClaimedBlock = Inclusion['blocks'][number];

/** The blocks that hold together, and the fault of the first one that does not. */
interface Finding {
  readonly held: ClaimedBlock[];
  readonly fault: BlockFault | null;
}

/**
 * Whether the signed request is what stands in the blocks. That the exchange published them is not
 * checked: layer 1 names number, root and hash of each block, and replaying all of them gives the
 * root.
 * @param signed - A request whose signature holds, as the receipt describes it.
 * @returns No `fault` when it is.
 */
export function checkBlocks(signed: Signed, blocks: readonly ClaimedBlock[]): Finding {
  const operation = operationNamed(signed.operation);
  const execution = operation.executedAs?.(signed.draft, signed.storageId);
  if (!execution) return { held: [], fault: 'absent' };
  const deadline = deadlineOf(operation, signed.draft as object) ?? Number.POSITIVE_INFINITY;
  let found: readonly Executed[] = [];
  const hashes = new Set<bigint>();

  function faultOf({ data, root, publicDataHash: claimed }: ClaimedBlock): BlockFault | null {
    const bytes = hexToBytes(data.slice(2));
    const hash = publicDataHash(bytes);
    // One block under two numbers would count what it carries out twice.
    if (hash !== BigInt(claimed) || hashes.has(hash)) return 'hash';
    // The hash binds the bytes; how they are written is the business of whoever replays the block.
    const { header, transactions } = readBlock(bytes, readTransaction);
    if (header.exchange !== BigInt(signed.network.exchange)) return 'exchange';
    if (header.rootAfter !== BigInt(root)) return 'root';
    const own = transactions.flatMap((one, index) => (execution?.isOf(one) ? [{ transactions, index }] : []));
    if (own.length === 0) return 'absent';
    const all = [...found, ...own];
    if (header.timestamp >= deadline || !execution?.fits(all)) return 'terms';
    hashes.add(hash);
    found = all;
    return null;
  }

  let first: BlockFault | null = null;
  const held = blocks.filter((block) => {
    let fault: BlockFault | null;
    try {
      fault = faultOf(block);
    } catch (error) {
      if (!(error instanceof RollupError)) throw error;
      fault = 'bytes';
    }
    first ??= fault;
    return fault === null;
  });
  return { held, fault: first };
}
