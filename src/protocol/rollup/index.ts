export {
  type Block,
  type BlockHeader,
  decodeBlock,
  encodeBlock,
  HEADER_BYTES,
  publicDataHash,
} from './blockData.ts';
export { nftsOf } from './describedNfts.ts';
export {
  type AccountLeaf,
  accountLeafHash,
  type BalanceLeaf,
  balanceLeafHash,
  nodeHash,
  type StorageLeaf,
  storageLeafHash,
  TREE_LEVELS,
} from './leaves.ts';
export {
  foldMerkleProof,
  type MerkleProof,
  verifyMerkleProof,
} from './merkleProof.ts';
export { formatMerkleProof, parseMerkleProof } from './merkleProofJson.ts';
export { nftDataOf, type ProvenNft } from './nftData.ts';
export { emptyNodes, foldPath, QuadTree } from './quadTree.ts';
export { type PublishedBlock, replayBlock } from './replay.ts';
export { formatError, RollupError, type RollupRule } from './rollupError.ts';
export { type AccountView, type BalanceView, emptyTreeNodes, RollupState, type StateUndo } from './state.ts';
export { readSnapshot, type StateSnapshot, writeSnapshot } from './stateSnapshot.ts';
export {
  decodeTransaction,
  encodeTransaction,
  isConditional,
  type OrderFlags,
  orderFlags,
  readOrderFlags,
  TRANSACTION_BYTES,
  type Transaction,
  type TransactionOf,
  type TransactionType,
  transactionLayouts,
} from './transactions.ts';
export { applyBlock, PROTOCOL_FEE_ACCOUNT_ID } from './transition.ts';
export { wordText } from './wordText.ts';
