export { type Block, type BlockHeader, decodeBlock, encodeBlock, publicDataHash } from './blockData.ts';
export { nftsOf } from './describedNfts.ts';
export { accountLeafHash, balanceLeafHash, nodeHash, storageLeafHash, TREE_LEVELS } from './leaves.ts';
export { foldMerkleProof, type MerkleProof, verifyMerkleProof } from './merkleProof.ts';
export { formatMerkleProof, parseMerkleProof } from './merkleProofJson.ts';
export { nftDataOf, type ProvenNft } from './nftData.ts';
export { emptyNodes, foldPath, QuadTree } from './quadTree.ts';
export { type PublishedBlock, replayBlock } from './replay.ts';
export { formatError, RollupError, type RollupRule } from './rollupError.ts';
export { emptyTreeNodes, RollupState, type StateUndo } from './state.ts';
export { readSnapshot, type StateSnapshot, writeSnapshot } from './stateSnapshot.ts';
export {
  decodeTransaction,
  encodeTransaction,
  isConditional,
  orderFlags,
  readOrderFlags,
  TRANSACTION_BYTES,
  type Transaction,
  type TransactionOf,
  type TransactionType,
  transactionLayouts,
} from './transactions.ts';
export { applyBlock } from './transition.ts';
export { wordText } from './wordText.ts';
