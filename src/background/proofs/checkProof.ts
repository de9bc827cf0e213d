import type { NftView, ProofRule } from '../../messaging/views.ts';
import { foldMerkleProof, type MerkleProof } from '../../protocol/rollup/merkleProof.ts';
import { RollupError } from '../../protocol/rollup/rollupError.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';

function leadsTo(proof: MerkleProof, root: string): boolean {
  try {
    return foldMerkleProof(proof) === BigInt(root);
  } catch (error) {
    if (error instanceof RollupError) return false;
    throw error;
  }
}

/**
 * Finds the fault of a proof for one token of an account; `null` when there is none. Another key or
 * balance than the wallet shows is not wrong: the block may be older than both, and `proofState`
 * says so.
 * @param root - Of the block that the relayer published.
 */
export function checkProof(
  proof: MerkleProof,
  root: string,
  { accountId, owner }: Pick<StoredAccount, 'accountId' | 'owner'>,
  tokenId: number,
): ProofRule | null {
  if (!leadsTo(proof, root)) return 'root';
  const { accountLeaf, balanceLeaf } = proof;
  // An account that the block does not have yet has no owner and holds nothing.
  const isAbsent = accountLeaf.owner === 0n && balanceLeaf.balance === 0n;
  const isOwn =
    accountLeaf.accountID === accountId &&
    balanceLeaf.tokenID === tokenId &&
    (accountLeaf.owner === BigInt(owner) || isAbsent);
  return isOwn ? null : 'leaf';
}

/** The NFT in a slot, as the relayer names it. */
export type ShownNft = Pick<NftView, 'nftData' | 'nftId' | 'tokenAddress'>;

/** State of a proof that holds, for the balance and the NFT that are shown. */
export function proofState(
  { accountLeaf, balanceLeaf, nft }: MerkleProof,
  { publicKey }: Pick<StoredAccount, 'publicKey'>,
  shown: { readonly total: string; readonly nft: ShownNft | null },
): 'proven' | 'changed' | 'other-nft' | 'other-key' {
  const isShownNft =
    shown.nft === null ||
    (balanceLeaf.weightAMM === BigInt(shown.nft.nftData) &&
      nft.token === BigInt(shown.nft.tokenAddress) &&
      nft.nftID === BigInt(shown.nft.nftId));
  if (!isShownNft) return 'other-nft';
  if (balanceLeaf.balance !== BigInt(shown.total)) return 'changed';
  const isOwnKey = accountLeaf.pubKeyX === BigInt(publicKey.x) && accountLeaf.pubKeyY === BigInt(publicKey.y);
  return isOwnKey ? 'proven' : 'other-key';
}
