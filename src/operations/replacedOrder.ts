import { type Facts, IntentError, type KnownOrder, type SignedOrder } from './operation.ts';
import type { ReviewRow, TokenFacts } from './review.ts';

/** An order of this wallet whose slot is taken over. */
export interface ReplacedOrder {
  readonly order: KnownOrder;
  readonly storageId: number;
}

/**
 * The order and the slot that it was signed with. The slot comes from the wallet's own records: a relayer that named another one
 * would have an order replaced that nobody meant.
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
  const order = await facts.order({ hash });
  if (!order) throw new IntentError(field, 'this account has no such order');
  if (order.status === 'processed') throw new IntentError(field, 'the order is filled');
  return { order, storageId: signed.storageId, signed };
}

export const isOpenOrder = ({ status }: KnownOrder): boolean => status === 'processing' || status === 'waiting';

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
    label: { key: 'review_replacedMarket' },
    value: { kind: 'text', text: order.market },
    note: { key: order.baseFilled === '0' ? 'review_replacedUnfilled' : 'review_replacedFilled' },
  },
  { label: { key: 'review_replacedHash' }, value: { kind: 'hex', hex: order.hash }, detail: true },
  { label: { key: 'review_replacedSlot' }, value: { kind: 'integer', value: storageId % 16_384 }, detail: true },
];
