import { expect, it } from 'vitest';
import * as rollup from '../../../src/protocol/rollup/index.ts';

it('exports these names', () => {
  expect(Object.keys(rollup).sort()).toMatchInlineSnapshot(`
    [
      "HEADER_BYTES",
      "PROTOCOL_FEE_ACCOUNT_ID",
      "QuadTree",
      "RollupError",
      "RollupState",
      "TRANSACTION_BYTES",
      "TREE_LEVELS",
      "accountLeafHash",
      "applyBlock",
      "balanceLeafHash",
      "decodeBlock",
      "decodeTransaction",
      "emptyNodes",
      "emptyTreeNodes",
      "encodeBlock",
      "encodeTransaction",
      "foldMerkleProof",
      "foldPath",
      "formatError",
      "formatMerkleProof",
      "isConditional",
      "nftDataOf",
      "nftsOf",
      "nodeHash",
      "orderFlags",
      "parseMerkleProof",
      "publicDataHash",
      "readOrderFlags",
      "readSnapshot",
      "replayBlock",
      "storageLeafHash",
      "transactionLayouts",
      "verifyMerkleProof",
      "wordText",
      "writeSnapshot",
    ]
  `);
});
