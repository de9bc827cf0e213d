import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, createReadStream, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { formatHash } from '../../../protocol/formatHash.ts';
import { isNftToken } from '../../../protocol/limits.ts';
import {
  applyBlock,
  decodeBlock,
  decodeTransaction,
  encodeBlock,
  formatMerkleProof,
  nftDataOf,
  nftsOf,
  type ProvenNft,
  RollupError,
  RollupState,
  readSnapshot,
  type StateUndo,
  TRANSACTION_BYTES,
  type Transaction,
  writeSnapshot,
} from '../../../protocol/rollup/index.ts';

/** A sealed block without roots. */
export interface SealedBlock {
  readonly blockId: number;
  readonly exchange: string;
  readonly operatorId: number;
  /** seconds */
  readonly timestamp: number;
  /** 68 bytes each, one after another. */
  readonly transactions: Uint8Array;
}

/** Fields that a block gets with its roots; they stand in the header of `data` too. */
export interface RootedBlock {
  readonly blockId: number;
  readonly data: Uint8Array;
  readonly rootBefore: string;
  readonly rootAfter: string;
}

export interface BalanceProof {
  /** The block after which the balance is what the proof says. */
  readonly blockId: number;
  readonly root: string;
  /** `undefined` for an empty NFT slot, which nothing can prove. */
  readonly proof: ReturnType<typeof formatMerkleProof> | undefined;
}

/** Blocks after which balances can be proven. */
export interface ProvableBlocks {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * How far back proofs reach: over so many transactions of the newest blocks. One changes up to 41
 * leaves and nodes among a million accounts, and each takes 110 bytes.
 */
export const PROVEN_TRANSACTIONS = 10_000;
/** And over so many blocks: a proof looks each of its nodes up in all that came after. */
export const PROVEN_BLOCKS = 1_000;

/** The state before a block, as what the block changed. */
interface Past {
  readonly blockId: number;
  readonly root: string;
  readonly undo: StateUndo;
  readonly transactions: number;
}

/**
 * The state after the blocks that it was given. Nodes are hashed when a root or proof is asked for,
 * each touched one once. A block that breaks a rule leaves it half changed: nothing is answered any
 * more then.
 */
export class BlockStates {
  #state = new RollupState();
  #nfts = new Map<bigint, ProvenNft>();
  #blockId: number | undefined;
  #last: RootedBlock | undefined;
  #broken: Error | undefined;
  /** The oldest first. */
  #past: Past[] = [];
  #pastTransactions = 0;
  readonly #most: { readonly transactions: number; readonly blocks: number };

  constructor({ transactions = PROVEN_TRANSACTIONS, blocks = PROVEN_BLOCKS } = {}) {
    this.#most = { transactions, blocks };
  }

  /** The last block that is in the state; `undefined` for the state of genesis. */
  get blockId(): number | undefined {
    return this.#blockId;
  }

  #sound(): void {
    if (this.#broken) throw this.#broken;
  }

  #apply(blockId: number, block: Parameters<typeof applyBlock>[1]): void {
    this.#sound();
    try {
      applyBlock(this.#state, block);
    } catch (error) {
      this.#broken = error instanceof RollupError ? new Error(`block ${blockId}: ${error.message}`) : (error as Error);
      throw this.#broken;
    }
    for (const nft of nftsOf(block.transactions, this.#state)) this.#nfts.set(nftDataOf(nft), nft);
    this.#blockId = blockId;
  }

  /** Applies a block, and keeps what it changed. */
  #applyKept(blockId: number, block: Parameters<typeof applyBlock>[1]): void {
    this.#sound();
    const before = { blockId: this.#blockId, root: formatHash(this.#state.root()) };
    this.#state.collectUndo(true);
    this.#apply(blockId, block);
    const undo = this.#state.collectUndo(false);
    if (before.blockId === undefined || !undo) return;
    const transactions = block.transactions.length;
    this.#past.push({ blockId: before.blockId, root: before.root, undo, transactions });
    this.#pastTransactions += transactions;
    while (this.#pastTransactions > this.#most.transactions || this.#past.length > this.#most.blocks)
      this.#pastTransactions -= this.#past.shift()?.transactions ?? 0;
  }

  /**
   * Takes blocks that have their roots already; the last root is compared.
   * @param keepFrom - The first block whose changes are kept, so that balances before it can be
   *   proven.
   */
  follow(blocks: readonly RootedBlock[], keepFrom = Number.POSITIVE_INFINITY): void {
    for (const { blockId, data } of blocks)
      if (blockId < keepFrom) {
        // What is kept leads back from the newest block without a gap, or nowhere.
        this.#forgetPast();
        this.#apply(blockId, decodeBlock(data));
      } else this.#applyKept(blockId, decodeBlock(data));
    const last = blocks.at(-1);
    if (!last || formatHash(this.#state.root()) === last.rootAfter) return;
    this.#broken = new Error(
      `block ${last.blockId}: its root is ${last.rootAfter}, its bytes lead to ${formatHash(this.#state.root())}`,
    );
    throw this.#broken;
  }

  /**
   * Makes roots and bytes of the next block; asked again for the same block, it answers the same.
   */
  seal(block: SealedBlock): RootedBlock {
    this.#sound();
    if (this.#last?.blockId === block.blockId) return this.#last;
    const transactions: Transaction[] = [];
    for (let at = 0; at < block.transactions.length; at += TRANSACTION_BYTES)
      transactions.push(decodeTransaction(block.transactions.subarray(at, at + TRANSACTION_BYTES)));
    const rootBefore = this.#state.root();
    const header = {
      exchange: BigInt(block.exchange),
      rootBefore,
      rootAfter: 0n,
      timestamp: block.timestamp,
      protocolTakerFeeBips: 0,
      protocolMakerFeeBips: 0,
      numConditionalTransactions: 0,
      operatorAccountId: block.operatorId,
    };
    this.#applyKept(block.blockId, { header, transactions });
    const rootAfter = this.#state.root();
    const data = encodeBlock({ ...header, rootAfter }, transactions);
    this.#last = { blockId: block.blockId, data, rootBefore: formatHash(rootBefore), rootAfter: formatHash(rootAfter) };
    return this.#last;
  }

  /**
   * Goes on from a file of `snapshot`, in place of genesis.
   * @throws {Error} when it is none, or the state in it has another root.
   */
  async load(path: string, root: string): Promise<void> {
    const read = await readSnapshot(createInterface({ input: createReadStream(path) }));
    if (formatHash(read.root) !== root)
      throw new Error(`its root is ${formatHash(read.root)}, block ${read.blockId} ends at ${root}`);
    this.#state = read.state;
    this.#nfts = new Map(read.nfts);
    this.#blockId = read.blockId;
    this.#forgetPast();
  }

  #forgetPast(): void {
    this.#past = [];
    this.#pastTransactions = 0;
  }

  snapshot(path: string): void {
    this.#sound();
    // Several processes may write the same file into one folder.
    const part = `${path}.${randomUUID()}.part`;
    const file = openSync(part, 'wx');
    try {
      // Unlike one `writeSync`, it writes all or throws.
      for (const line of writeSnapshot(this.#blockId ?? 0, this.#state, this.#nfts.values()))
        appendFileSync(file, `${line}\n`);
      fsyncSync(file);
      renameSync(part, path);
    } finally {
      closeSync(file);
      rmSync(part, { force: true });
    }
  }

  /**
   * @param blockId - The block after which the balance is proven; the newest when left out.
   * @returns The blocks that can be named, when it is none of them.
   */
  prove(accountId: number, tokenId: number, blockId = this.#blockId ?? 0): BalanceProof | ProvableBlocks {
    this.#sound();
    const newest = this.#blockId ?? 0;
    const at = blockId === newest ? this.#past.length : this.#past.findIndex((past) => past.blockId === blockId);
    if (at < 0) return { oldest: this.#past[0]?.blockId ?? newest, newest };
    const undos = this.#past.slice(at).map(({ undo }) => undo);
    const nft = this.#nfts.get(this.#state.leafThen(accountId, tokenId, undos).weightAmm);
    const isProvable = !isNftToken(tokenId) || nft !== undefined;
    return {
      blockId,
      root: this.#past[at]?.root ?? formatHash(this.#state.root()),
      proof: isProvable ? formatMerkleProof(this.#state.prove(accountId, tokenId, nft, undos)) : undefined,
    };
  }
}
