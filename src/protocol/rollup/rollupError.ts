/**
 * The rule that a block, a transaction or a proof breaks. `format`: a file does not hold blocks at
 * all.
 */
export type RollupRule =
  | 'format'
  | 'length'
  | 'type'
  | 'kind'
  | 'canonical'
  | 'range'
  | 'public-data-hash'
  | 'exchange'
  | 'root-before'
  | 'root-after'
  | 'snapshot'
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

/**
 * A block or proof is not valid. Says which rule is broken, and in which transaction of the block
 * when it is one.
 */
export class RollupError extends Error {
  override readonly name = 'RollupError';
  readonly rule: RollupRule;
  /**
   * Index of the transaction in its block, from 0; `undefined` when the rule concerns the whole
   * block.
   */
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

/** Turns a schema's issues into an error of the rule `format`: each member by its path. */
export function formatError({
  issues,
}: {
  readonly issues: readonly { path: PropertyKey[]; message: string }[];
}): RollupError {
  const problems = issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  return new RollupError('format', problems.join('; '));
}
