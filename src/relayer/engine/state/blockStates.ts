import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
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

/** What a block becomes with its roots; they stand in the header of `data` too. */
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

const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * The state after the blocks that it was given. Nodes are hashed when a root or proof is asked for, each touched one once. A
 * block that breaks a rule leaves it half changed: nothing is answered any more then.
 */
export class BlockStates {
  readonly #state = new RollupState();
  readonly #nfts = new Map<bigint, ProvenNft>();
  #blockId: number | undefined;
  #last: RootedBlock | undefined;
  #broken: Error | undefined;

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

  /** Takes blocks that have their roots already; the last root is compared. */
  follow(blocks: readonly RootedBlock[]): void {
    for (const { blockId, data } of blocks) this.#apply(blockId, decodeBlock(data));
    const last = blocks.at(-1);
    if (!last || hex(this.#state.root()) === last.rootAfter) return;
    this.#broken = new Error(
      `block ${last.blockId}: its root is ${last.rootAfter}, its bytes lead to ${hex(this.#state.root())}`,
    );
    throw this.#broken;
  }

  /** Makes roots and bytes of the next block; asked again for the same block, it answers the same. */
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
    this.#apply(block.blockId, { header, transactions });
    const rootAfter = this.#state.root();
    const data = encodeBlock({ ...header, rootAfter }, transactions);
    this.#last = { blockId: block.blockId, data, rootBefore: hex(rootBefore), rootAfter: hex(rootAfter) };
    return this.#last;
  }

  snapshot(path: string): void {
    this.#sound();
    const file = openSync(`${path}.part`, 'w');
    try {
      for (const line of writeSnapshot(this.#blockId ?? 0, this.#state, this.#nfts.values()))
        writeSync(file, `${line}\n`);
    } finally {
      closeSync(file);
    }
    renameSync(`${path}.part`, path);
  }

  prove(accountId: number, tokenId: number): BalanceProof {
    this.#sound();
    const { weightAmm } = this.#state.balance(accountId, tokenId);
    const nft = this.#nfts.get(weightAmm);
    const isProvable = tokenId < 32_768 || nft !== undefined;
    return {
      blockId: this.#blockId ?? 0,
      root: hex(this.#state.root()),
      proof: isProvable ? formatMerkleProof(this.#state.prove(accountId, tokenId, nft)) : undefined,
    };
  }
}
