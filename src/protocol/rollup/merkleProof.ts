import { FIELD_PRIME } from '../../crypto/index.ts';
import { MAX_AMOUNT, MAX_ROYALTY, MAX_TOKEN_ID, MAX_UINT32, MIN_NFT_TOKEN_ID } from '../limits.ts';
import { accountLeafHash, balanceLeafHash, TREE_LEVELS } from './leaves.ts';
import { nftDataOf, type ProvenNft } from './nftData.ts';
import { foldPath } from './quadTree.ts';
import { RollupError } from './rollupError.ts';

/**
 * The argument of the contract's `withdrawFromMerkleTree`; member names as there, addresses as
 * integers.
 */
export interface MerkleProof {
  readonly accountLeaf: {
    readonly accountID: number;
    readonly owner: bigint;
    readonly pubKeyX: bigint;
    readonly pubKeyY: bigint;
    readonly nonce: number;
    readonly feeBipsAMM: number;
  };
  readonly balanceLeaf: {
    readonly tokenID: number;
    readonly balance: bigint;
    readonly weightAMM: bigint;
    readonly storageRoot: bigint;
  };
  readonly nft: ProvenNft;
  /** 3 siblings for each of 16 levels, from the leaf upwards, in index order. */
  readonly accountMerkleProof: readonly bigint[];
  /** 3 siblings for each of 8 levels. */
  readonly balanceMerkleProof: readonly bigint[];
}

/** Addresses are below it. */
export const ADDRESS_END = 1n << 160n;
const WORD_END = 1n << 256n;

function checkInteger(value: number, maximum: number, name: string): void {
  if (!Number.isInteger(value) || value < 0 || value > maximum)
    throw new RollupError('range', `${name} is outside 0 to ${maximum}`);
}

function checkBelow(value: bigint, end: bigint, name: string): void {
  if (value < 0n || value >= end) throw new RollupError('range', `${name} is out of range`);
}

function checkSiblings(siblings: readonly bigint[], levels: number, name: string): void {
  if (siblings.length !== 3 * levels)
    throw new RollupError('proof-shape', `${name} has ${siblings.length} elements instead of ${3 * levels}`);
  for (const [index, sibling] of siblings.entries()) checkBelow(sibling, FIELD_PRIME, `${name}[${index}]`);
}

/**
 * The state root that a proof leads to. 26 hashes, 27 for an NFT slot.
 * @throws {RollupError} `range` when a member has more bits than its type or is not below the field
 *   prime, `proof-shape` for a wrong number of siblings, `nft-data` when `nft` is not what the slot
 *   holds (a token, and only a token, has all zeros).
 */
export function foldMerkleProof(proof: MerkleProof): bigint {
  const { accountLeaf, balanceLeaf, nft } = proof;
  checkInteger(accountLeaf.accountID, MAX_UINT32, 'accountID');
  checkBelow(accountLeaf.owner, ADDRESS_END, 'owner');
  checkBelow(accountLeaf.pubKeyX, FIELD_PRIME, 'pubKeyX');
  checkBelow(accountLeaf.pubKeyY, FIELD_PRIME, 'pubKeyY');
  checkInteger(accountLeaf.nonce, MAX_UINT32, 'nonce');
  checkInteger(accountLeaf.feeBipsAMM, 255, 'feeBipsAMM');
  checkInteger(balanceLeaf.tokenID, MAX_TOKEN_ID, 'tokenID');
  checkBelow(balanceLeaf.balance, MAX_AMOUNT + 1n, 'balance');
  checkBelow(balanceLeaf.weightAMM, FIELD_PRIME, 'weightAMM');
  checkBelow(balanceLeaf.storageRoot, FIELD_PRIME, 'storageRoot');
  checkBelow(nft.minter, ADDRESS_END, 'minter');
  checkInteger(nft.nftType, 1, 'nftType');
  checkBelow(nft.token, ADDRESS_END, 'token');
  checkBelow(nft.nftID, WORD_END, 'nftID');
  checkInteger(nft.creatorFeeBips, MAX_ROYALTY, 'creatorFeeBips');
  checkSiblings(proof.accountMerkleProof, TREE_LEVELS.accounts, 'accountMerkleProof');
  checkSiblings(proof.balanceMerkleProof, TREE_LEVELS.balances, 'balanceMerkleProof');
  if (balanceLeaf.tokenID >= MIN_NFT_TOKEN_ID) {
    if (nftDataOf(nft) !== balanceLeaf.weightAMM)
      throw new RollupError('nft-data', 'nft is not the NFT whose hash the slot holds');
  } else if (nft.minter || nft.nftType || nft.token || nft.nftID || nft.creatorFeeBips)
    throw new RollupError('nft-data', 'nft has to be all zeros for a fungible token');
  const balanceHash = balanceLeafHash({ ...balanceLeaf, weightAmm: balanceLeaf.weightAMM });
  const accountHash = accountLeafHash({
    owner: accountLeaf.owner,
    publicKeyX: accountLeaf.pubKeyX,
    publicKeyY: accountLeaf.pubKeyY,
    nonce: accountLeaf.nonce,
    feeBipsAmm: accountLeaf.feeBipsAMM,
    balancesRoot: foldPath(balanceHash, balanceLeaf.tokenID, proof.balanceMerkleProof),
  });
  return foldPath(accountHash, accountLeaf.accountID, proof.accountMerkleProof);
}

/**
 * Whether the balance in the proof is part of the state with this root.
 * @throws {RollupError} As `foldMerkleProof`.
 */
export const verifyMerkleProof = (proof: MerkleProof, root: bigint): boolean => foldMerkleProof(proof) === root;
