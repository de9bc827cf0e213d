import { MAX_TOKEN_ID, MAX_UINT32 } from '../limits.ts';
import { storageSlot } from '../storageId.ts';
import {
  accountLeafHash,
  type BalanceLeaf,
  balanceLeafHash,
  type StorageLeaf,
  storageLeafHash,
  TREE_LEVELS,
} from './leaves.ts';
import type { MerkleProof } from './merkleProof.ts';
import type { ProvenNft } from './nftData.ts';
import { emptyNodes, type NodeUndo, QuadTree } from './quadTree.ts';

const NO_STORAGE: StorageLeaf = { data: 0n, storageId: 0 };

/** Nodes of the empty trees, made at the first use (34 hashes). */
let emptyTrees: Readonly<Record<keyof typeof TREE_LEVELS, readonly bigint[]>> | undefined;

/** The nodes of each empty tree, from the leaf to the root. */
export function emptyTreeNodes(): NonNullable<typeof emptyTrees> {
  if (!emptyTrees) {
    const storage = emptyNodes(storageLeafHash(NO_STORAGE), TREE_LEVELS.storage);
    const emptyBalance = { balance: 0n, weightAmm: 0n, storageRoot: storage.at(-1) as bigint };
    const balances = emptyNodes(balanceLeafHash(emptyBalance), TREE_LEVELS.balances);
    const balancesRoot = balances.at(-1) as bigint;
    const emptyAccount = { owner: 0n, publicKeyX: 0n, publicKeyY: 0n, nonce: 0, feeBipsAmm: 0, balancesRoot };
    emptyTrees = { storage, balances, accounts: emptyNodes(accountLeafHash(emptyAccount), TREE_LEVELS.accounts) };
  }
  return emptyTrees;
}

const NO_SLOTS: ReadonlyMap<number, StorageLeaf> = new Map();

/**
 * One token or NFT slot of an account. Changed through `RollupState` only. Maps and trees come with
 * their first entry: of a million accounts most have one balance and no storage.
 */
class Balance {
  balance = 0n;
  weightAmm = 0n;
  #slots: Map<number, StorageLeaf> | undefined;
  #tree: QuadTree | undefined;

  get storage(): ReadonlyMap<number, StorageLeaf> {
    return this.#slots ?? NO_SLOTS;
  }

  setStorage(leaf: StorageLeaf): void {
    const slot = storageSlot(leaf.storageId);
    this.#slots ??= new Map();
    this.#slots.set(slot, leaf);
    this.#tree ??= new QuadTree(emptyTreeNodes().storage);
    this.#tree.set(slot, storageLeafHash(leaf));
  }

  leafHash(): bigint {
    return balanceLeafHash({ balance: this.balance, weightAmm: this.weightAmm, storageRoot: this.storageRoot() });
  }

  storageRoot(): bigint {
    return this.#tree?.root() ?? (emptyTreeNodes().storage.at(-1) as bigint);
  }
}

class Account {
  owner = 0n;
  publicKeyX = 0n;
  publicKeyY = 0n;
  nonce = 0;
  feeBipsAmm = 0;
  readonly balances = new Map<number, Balance>();
  readonly #tree = new QuadTree(emptyTreeNodes().balances);
  #changed: Set<number> | undefined;

  markChanged(tokenId: number): void {
    this.#changed ??= new Set();
    this.#changed.add(tokenId);
  }

  tree(undo?: NodeUndo): QuadTree {
    this.#tree.undo = undo;
    for (const tokenId of this.#changed ?? [])
      this.#tree.set(tokenId, (this.balances.get(tokenId) as Balance).leafHash());
    this.#changed = undefined;
    this.#tree.root();
    this.#tree.undo = undefined;
    return this.#tree;
  }
}

type AccountFields = Pick<Account, 'owner' | 'publicKeyX' | 'publicKeyY' | 'nonce' | 'feeBipsAmm'>;

/** Readable part of an account. */
export type AccountView = Readonly<AccountFields & { balances: ReadonlyMap<number, BalanceView> }>;

/**
 * Parts of the state that a block changed, as they were before: proofs of the state before the
 * block need them. Leaves without their trees of storage, of which a proof has the root alone.
 */
export class StateUndo {
  readonly accounts = new Map<number, AccountFields>();
  readonly balances = new Map<number, BalanceLeaf>();
  readonly accountNodes = new Map<number, bigint>();
  readonly balanceNodes = new Map<number, bigint>();
}

/** Numbers of one balance among all; a tree of balances has fewer nodes than 2^20. */
const balanceKey = (accountId: number, tokenId: number) => accountId * (MAX_TOKEN_ID + 1) + tokenId;
const treeOffset = (accountId: number) => accountId * 2 ** 20;

/** A value as it was before the first of the changes that know it. */
function valueThen<T>(befores: readonly ReadonlyMap<number, T>[], key: number, now: T): T {
  return befores.find((before) => before.has(key))?.get(key) ?? now;
}

/** Readable part of a token or NFT slot; `storage` by slot. */
export interface BalanceView {
  readonly balance: bigint;
  readonly weightAmm: bigint;
  readonly storage: ReadonlyMap<number, StorageLeaf>;
}

const EMPTY_ACCOUNT: AccountView = {
  owner: 0n,
  publicKeyX: 0n,
  publicKeyY: 0n,
  nonce: 0,
  feeBipsAmm: 0,
  balances: new Map(),
};
const EMPTY_BALANCE: BalanceView = { balance: 0n, weightAmm: 0n, storage: new Map() };

/**
 * The state of an exchange: every account, balance and storage slot, with its trees. Starts as the
 * genesis state. Writes only mark what changed; `root` and `prove` hash each touched node once.
 */
export class RollupState {
  readonly #accounts = new Map<number, Account>();
  readonly #changed = new Set<number>();
  readonly #tree = new QuadTree(emptyTreeNodes().accounts);
  #undo: StateUndo | undefined;

  /** Every account that was ever written, in no particular order. */
  accounts(): IterableIterator<[number, AccountView]> {
    return this.#accounts.entries();
  }

  account(accountId: number): AccountView {
    return this.#accounts.get(accountId) ?? EMPTY_ACCOUNT;
  }

  balance(accountId: number, tokenId: number): BalanceView {
    return this.account(accountId).balances.get(tokenId) ?? EMPTY_BALANCE;
  }

  /** Reads the slot of a storage id; data 0 of id 0 when it was never used. */
  storage(accountId: number, tokenId: number, storageId: number): StorageLeaf {
    return this.balance(accountId, tokenId).storage.get(storageSlot(storageId)) ?? NO_STORAGE;
  }

  #write(accountId: number): Account {
    if (!Number.isInteger(accountId) || accountId < 0 || accountId > MAX_UINT32)
      throw new RangeError(`account id ${accountId} has more than 32 bits`);
    let account = this.#accounts.get(accountId);
    if (!account) {
      account = new Account();
      this.#accounts.set(accountId, account);
    }
    this.#changed.add(accountId);
    if (this.#undo && !this.#undo.accounts.has(accountId)) {
      const { owner, publicKeyX, publicKeyY, nonce, feeBipsAmm } = account;
      this.#undo.accounts.set(accountId, { owner, publicKeyX, publicKeyY, nonce, feeBipsAmm });
    }
    return account;
  }

  #writeBalance(accountId: number, tokenId: number): Balance {
    if (!Number.isInteger(tokenId) || tokenId < 0 || tokenId > MAX_TOKEN_ID)
      throw new RangeError(`token id ${tokenId} has more than 16 bits`);
    const account = this.#write(accountId);
    let balance = account.balances.get(tokenId);
    if (!balance) {
      balance = new Balance();
      account.balances.set(tokenId, balance);
    }
    account.markChanged(tokenId);
    const key = balanceKey(accountId, tokenId);
    if (this.#undo && !this.#undo.balances.has(key)) {
      const { balance: amount, weightAmm } = balance;
      this.#undo.balances.set(key, { balance: amount, weightAmm, storageRoot: balance.storageRoot() });
    }
    return balance;
  }

  setAccount(accountId: number, fields: Partial<Omit<AccountView, 'balances'>>): void {
    Object.assign(this.#write(accountId), fields);
  }

  setBalance(accountId: number, tokenId: number, fields: Partial<Omit<BalanceView, 'storage'>>): void {
    Object.assign(this.#writeBalance(accountId, tokenId), fields);
  }

  setStorage(accountId: number, tokenId: number, leaf: StorageLeaf): void {
    this.#writeBalance(accountId, tokenId).setStorage(leaf);
  }

  #settledTree(): QuadTree {
    const undo = this.#undo;
    for (const accountId of this.#changed) {
      const account = this.#accounts.get(accountId) as Account;
      const tree = account.tree(undo && { nodes: undo.balanceNodes, offset: treeOffset(accountId) });
      this.#tree.set(accountId, accountLeafHash({ ...account, balancesRoot: tree.root() }));
    }
    this.#changed.clear();
    this.#tree.root();
    return this.#tree;
  }

  /**
   * Collects what changes until it is called again.
   * @returns What changed since it was called before; `undefined` when nothing was collected.
   */
  collectUndo(collect: boolean): StateUndo | undefined {
    this.root();
    const collected = this.#undo;
    this.#undo = collect ? new StateUndo() : undefined;
    this.#tree.undo = this.#undo && { nodes: this.#undo.accountNodes, offset: 0 };
    return collected;
  }

  root(): bigint {
    return this.#settledTree().root();
  }

  /**
   * One balance now, or before the changes of some blocks.
   * @param undos - Of all blocks since then, the oldest first.
   */
  leafThen(accountId: number, tokenId: number, undos: readonly StateUndo[] = []): BalanceLeaf {
    const balance = this.#accounts.get(accountId)?.balances.get(tokenId) ?? new Balance();
    const { balance: amount, weightAmm } = balance;
    const now = { balance: amount, weightAmm, storageRoot: balance.storageRoot() };
    return valueThen(
      undos.map(({ balances }) => balances),
      balanceKey(accountId, tokenId),
      now,
    );
  }

  /**
   * The proof of one balance in the format of the contract, also of a balance of 0.
   * @param nft - Identity behind the slot's `nftData`; needed for an NFT slot to fold, left out for
   *   a token.
   * @param undos - Of all blocks behind the one after which it is proven, the oldest first; none
   *   for the newest.
   */
  prove(accountId: number, tokenId: number, nft?: ProvenNft, undos: readonly StateUndo[] = []): MerkleProof {
    const accountTree = this.#settledTree();
    const known = this.#accounts.get(accountId) ?? new Account();
    const account = valueThen<AccountFields>(
      undos.map(({ accounts }) => accounts),
      accountId,
      known,
    );
    const balance = this.leafThen(accountId, tokenId, undos);
    return {
      accountLeaf: {
        accountID: accountId,
        owner: account.owner,
        pubKeyX: account.publicKeyX,
        pubKeyY: account.publicKeyY,
        nonce: account.nonce,
        feeBipsAMM: account.feeBipsAmm,
      },
      balanceLeaf: {
        tokenID: tokenId,
        balance: balance.balance,
        weightAMM: balance.weightAmm,
        storageRoot: balance.storageRoot,
      },
      nft: nft ?? { minter: 0n, nftType: 0, token: 0n, nftID: 0n, creatorFeeBips: 0 },
      accountMerkleProof: accountTree.siblings(
        accountId,
        undos.map(({ accountNodes }) => ({ nodes: accountNodes, offset: 0 })),
      ),
      balanceMerkleProof: known.tree().siblings(
        tokenId,
        undos.map(({ balanceNodes }) => ({ nodes: balanceNodes, offset: treeOffset(accountId) })),
      ),
    };
  }
}
