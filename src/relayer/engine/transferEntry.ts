import { type BlockEntry, type BlockTransaction, tokenOf } from './blocks.ts';

/** A transfer as a block executes it. Amounts are block floats. */
export interface BlockTransfer {
  readonly from: { readonly accountId: number; readonly owner: string };
  readonly to: { readonly accountId: number; readonly owner: string };
  readonly tokenId: number;
  /** The receiver's slot of an NFT. */
  readonly toTokenId?: number;
  readonly nftData?: string;
  readonly amount: bigint;
  readonly feeTokenId: number;
  readonly fee: bigint;
  readonly storageId: number;
  /** seconds */
  readonly validUntil: number;
  /**
   * Not by the sender's own L2 signature over this transfer, but on L1, as the contract of a pool
   * does.
   */
  readonly approvedOnL1?: boolean;
}

/**
 * Both addresses are always named: whether the state knows the receiver's account already does not
 * matter then.
 */
export function transferEntry(transfer: BlockTransfer, shown: Partial<BlockTransaction> = {}): BlockEntry {
  const { from, to, tokenId, toTokenId, nftData, amount, feeTokenId, fee, storageId, validUntil } = transfer;
  const token = tokenOf(tokenId, amount, nftData);
  return {
    executed: {
      type: 'Transfer',
      kind: transfer.approvedOnL1 ? 1 : 0,
      fromId: from.accountId,
      toId: to.accountId,
      tokenId,
      amount,
      feeTokenId,
      fee,
      storageId,
      to: BigInt(to.owner),
      from: BigInt(from.owner),
      toTokenId: toTokenId === tokenId ? 0 : (toTokenId ?? 0),
    },
    shown: {
      txType: 'Transfer',
      accountId: from.accountId,
      owner: from.owner,
      token,
      ...(toTokenId !== undefined && { nftToken: token, toToken: tokenOf(toTokenId, amount, nftData) }),
      fee: tokenOf(feeTokenId, fee),
      validUntil,
      toAccountId: to.accountId,
      toAccountAddress: to.owner,
      storageId,
      fromAddress: from.owner,
      toAddress: to.owner,
      valid: true,
      ...shown,
    },
  };
}
