import { storageSlot } from '../protocol/storageId.ts';
import { type Facts, IntentError, type KnownOrder, type SignedOrder } from './operation.ts';
import type { ReviewRow, Text, TokenFacts } from './review.ts';

/** An order of this wallet whose slot is taken over. */
export interface ReplacedOrder {
  readonly order: KnownOrder;
  readonly storageId: number;
  /** Token that it receives, when its replacement receives another. */
  readonly buy?: TokenFacts;
}

/** Says that a newer request would end as well. */
export const newerInSlotText = (hash: string): Text => ({
  key: 'problem_newerInSlot',
  values: { hash: { kind: 'hex', hex: hash } },
});

/**
 * The order, with the amounts and the slot that it was signed with. They come from the wallet's own
 * records: a relayer that named others would have an order ended or replaced that nobody meant.
 * Every id that takes the slot also ends a newer request there, so only the newest can be named.
 * @throws {IntentError} naming `field`
 */
export async function findReplaced(
  hash: string,
  field: string,
  facts: Facts,
): Promise<ReplacedOrder & { readonly signed: SignedOrder }> {
  const signed = await facts.signedOrder(hash);
  if (!signed && (await facts.order({ hash }))?.nftData !== undefined)
    throw new IntentError(field, 'is an NFT order; its slot takes no order for tokens, but it can be cancelled');
  if (!signed) throw new IntentError(field, 'was not signed by this wallet, so its slot is not known for certain');
  if (signed.newer !== undefined)
    throw new IntentError(
      field,
      `the newer order ${signed.newer} is open in its slot and would end too; name that one, which ends both, or wait for its end`,
      newerInSlotText(signed.newer),
    );
  const order = await facts.order({ hash });
  if (!order) throw new IntentError(field, 'this account has no such order');
  if (order.status === 'processed') throw new IntentError(field, 'the order is filled', { key: 'problem_orderMoved' });
  const { storageId, sellVolume, buyVolume } = signed;
  const [baseAmount, quoteAmount] = order.side === 'SELL' ? [sellVolume, buyVolume] : [buyVolume, sellVolume];
  return { order: { ...order, baseAmount, quoteAmount }, storageId, signed };
}

/** Gives the amounts that an order pays and receives, both at its own price. */
export const orderAmounts = (order: KnownOrder, sell: TokenFacts, buy: TokenFacts) => {
  const [sold, bought] =
    order.side === 'SELL' ? [order.baseAmount, order.quoteAmount] : [order.quoteAmount, order.baseAmount];
  return {
    pays: { kind: 'amount', volume: sold, token: sell },
    receives: { kind: 'amount', volume: bought, token: buy },
  } as const;
};

/** Builds the rows about the order whose slot is taken over. */
export const replacedRows = ({ order, storageId }: ReplacedOrder): ReviewRow[] => [
  {
    label: { key: 'review_market' },
    value: { kind: 'text', text: order.market },
    note: { key: BigInt(order.baseFilled) === 0n ? 'review_replacedUnfilled' : 'review_replacedFilled' },
  },
  { label: { key: 'review_replacedHash' }, value: { kind: 'hex', hex: order.hash }, detail: true },
  { label: { key: 'review_replacedSlot' }, value: { kind: 'integer', value: storageSlot(storageId) }, detail: true },
];
