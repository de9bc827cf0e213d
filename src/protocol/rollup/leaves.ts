import { poseidon } from '../../crypto/index.ts';

/**
 * Leaves and inner nodes of the state tree. Missing Poseidon inputs count as 0.
 * @see docs/architecture.md, "State tree and blocks".
 */

/**
 * Levels of each quad tree: 2^32 accounts, 2^16 balances of an account, 2^14 storage slots of a
 * balance.
 */
export const TREE_LEVELS = { accounts: 16, balances: 8, storage: 7 } as const;

/** Inner node: Poseidon t=5 of the four children in index order. */
export const nodeHash = (children: readonly [bigint, bigint, bigint, bigint]): bigint => poseidon(children, 5);

/** Content of one storage slot. */
export interface StorageLeaf {
  /**
   * Orders: filled amount of the signed limiting side, base units, before fees. Other requests: 1.
   */
  readonly data: bigint;
  /** The id whose `data` it is; its slot is `storageId mod 2^14`. */
  readonly storageId: number;
}

export const storageLeafHash = ({ data, storageId }: StorageLeaf): bigint => poseidon([data, BigInt(storageId)], 5);

/** Content of one token or NFT slot of an account. */
export interface BalanceLeaf {
  /** Base units, below 2^96. */
  readonly balance: bigint;
  /** Pool weight of a token; `nftData` of an NFT slot. */
  readonly weightAmm: bigint;
  readonly storageRoot: bigint;
}

export const balanceLeafHash = ({ balance, weightAmm, storageRoot }: BalanceLeaf): bigint =>
  poseidon([balance, weightAmm, storageRoot], 5);

/** Content of one account. */
export interface AccountLeaf {
  /** The address as an integer; 0 while the account is not opened. */
  readonly owner: bigint;
  /** 0 and 0 while there is no key. */
  readonly publicKeyX: bigint;
  readonly publicKeyY: bigint;
  readonly nonce: number;
  /** Ten-thousandths. */
  readonly feeBipsAmm: number;
  readonly balancesRoot: bigint;
}

export const accountLeafHash = (leaf: AccountLeaf): bigint =>
  poseidon(
    [leaf.owner, leaf.publicKeyX, leaf.publicKeyY, BigInt(leaf.nonce), BigInt(leaf.feeBipsAmm), leaf.balancesRoot],
    7,
  );
