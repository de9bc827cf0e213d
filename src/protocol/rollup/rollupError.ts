/**
 * The rule of the protocol that a block, a transaction or a proof breaks. `state` names an inconsistency between the
 * bytes and the state that they are applied to (balance, owner, nonce, storage), the others one of the bytes themselves.
 */
export type RollupRule =
  | 'length'
  | 'type'
  | 'kind'
  | 'canonical'
  | 'range'
  | 'public-data-hash'
  | 'exchange'
  | 'root-before'
  | 'root-after'
  | 'root-unchanged'
  | 'conditional-count'
  | 'operator'
  | 'balance'
  | 'storage'
  | 'owner'
  | 'nonce'
  | 'public-key'
  | 'token'
  | 'fee-token'
  | 'nft-slot'
  | 'nft-data'
  | 'pool-balance'
  | 'proof-shape';

/** A block or proof is not valid. Says which rule is broken, and in which transaction of the block when it is one. */
export class RollupError extends Error {
  override readonly name = 'RollupError';
  readonly rule: RollupRule;
  /** Index of the transaction in its block, from 0; `undefined` when the rule concerns the whole block. */
  readonly transaction: number | undefined;
  /** The message without the transaction. */
  readonly detail: string;

  constructor(rule: RollupRule, detail: string, transaction?: { readonly index: number; readonly type: string }) {
    super(transaction ? `transaction ${transaction.index} (${transaction.type}): ${detail}` : detail);
    this.rule = rule;
    this.detail = detail;
    this.transaction = transaction?.index;
  }
}
