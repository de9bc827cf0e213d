import {
  formatMerkleProof,
  type ProvenNft,
  type RollupState,
  verifyMerkleProof,
} from '../../src/protocol/rollup/index.ts';

/**
 * A proof of each balance that is not 0, by account and token, each verified against the root of
 * the state.
 */
export function* proofsOf(
  state: RollupState,
  nfts: ReadonlyMap<bigint, ProvenNft>,
): Generator<ReturnType<typeof formatMerkleProof>> {
  const root = state.root();
  for (const [accountId, account] of [...state.accounts()].sort(([a], [b]) => a - b))
    for (const [tokenId, { balance, weightAmm }] of [...account.balances].sort(([a], [b]) => a - b)) {
      if (balance === 0n) continue;
      const proof = state.prove(accountId, tokenId, nfts.get(weightAmm));
      if (!verifyMerkleProof(proof, root))
        throw new Error(`the proof of token ${tokenId} of account ${accountId} does not fold`);
      yield formatMerkleProof(proof);
    }
}
