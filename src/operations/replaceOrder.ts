import { address } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { isOpenOrder } from '../protocol/states.ts';
import { z } from '../protocol/zod.ts';
import { orderHashField } from './intentFields.ts';
import { FactsChanged, IntentError, type Operation } from './operation.ts';
import { findReplaced, orderAmounts, type ReplacedOrder, replacedRows } from './replacedOrder.ts';
import type { ReviewRow, Warning } from './review.ts';
import {
  type OrderBody,
  type OrderShown,
  orderFields,
  orderOperation,
  prepareOrder,
  receivedOf,
  reviewOrder,
  withOrderRules,
} from './submitOrder.ts';

const intent = once(() =>
  withOrderRules(
    z.strictObject({
      account: z.optional(address()),
      /** Hash of the open order whose place the new one takes. */
      replaces: orderHashField(),
      ...orderFields(),
    }),
  ),
);

export type ReplaceOrderIntent = z.output<ReturnType<typeof intent>>;

/** A slot accepts rising ids: what the exchange itself does not exclude. */
const risingIds: Warning = { rule: 'replaced-rising', severity: 'note', text: { key: 'warning_replacedRising' } };

interface Shown extends OrderShown {
  readonly replaced: ReplacedOrder;
}

/**
 * What the old order has filled of the amount that ends the new one, and a warning when both
 * together come to more than the old order.
 */
function filledOf({ body, shown: { sell, buy, replaced } }: { readonly body: OrderBody; readonly shown: Shown }) {
  const { order } = replaced;
  const endsByBuying = body.fillAmountBOrS && replaced.buy === undefined;
  const isBase = (order.side === 'BUY') === endsByBuying;
  const [filled = '0', whole] = isBase ? [order.baseFilled, order.baseAmount] : [order.quoteFilled, order.quoteAmount];
  if (BigInt(filled) === 0n) return { rows: [], warnings: [] };
  const token = endsByBuying ? buy : sell;
  const amount = (volume: string) => ({ kind: 'amount', volume, token }) as const;
  const total = BigInt(filled) + BigInt((endsByBuying ? body.buyToken : body.sellToken).volume);
  const row: ReviewRow = { label: { key: 'review_filledSoFar' }, value: { ...amount(filled), least: true } };
  const more: Warning = {
    rule: 'replaced-more',
    severity: 'notice',
    text: { key: 'warning_replacedMore', values: { total: amount(String(total)), whole: amount(whole) } },
  };
  return { rows: [row], warnings: total > BigInt(whole) ? [more] : [] };
}

/**
 * Places an order in the slot of another one, with a larger storage id. The relayer ends the old
 * order when it takes the new one; the exchange refuses the old one from the moment at which the
 * new one has filled in part, whoever holds a copy. Until then a dishonest relayer could fill the
 * old one first and the new one after it, which the review says.
 */
export const replaceOrder: Operation<ReplaceOrderIntent, OrderBody, Shown> = {
  ...orderOperation,
  name: 'replaceOrder',
  method: 'relayer_replaceOrder',
  own: true,
  intent,

  async prepare({ replaces, ...asked }, facts) {
    const { order, storageId, signed } = await findReplaced(replaces, 'replaces', facts);
    if (!isOpenOrder(order))
      throw new IntentError('replaces', `the order is not open any more (${order.status})`, {
        key: 'problem_orderMoved',
      });
    if (signed.sellTokenId !== asked.sellToken.tokenId)
      throw new IntentError(
        'sellToken.tokenId',
        'is another token than the replaced order sells; slots belong to a token',
      );
    const { body, shown } = await prepareOrder(asked, facts);
    const buy =
      signed.buyTokenId === body.buyToken.tokenId ? {} : { buy: await facts.token(signed.buyTokenId, 'replaces') };
    return { body, shown: { ...shown, replaced: { order, storageId, ...buy } } };
  },

  review(draft, now) {
    const { body, shown } = draft;
    const { rows, warnings, ...rest } = reviewOrder(draft, now);
    const replaced = orderAmounts(shown.replaced.order, shown.sell, shown.replaced.buy ?? shown.buy);
    const filled = filledOf(draft);
    return {
      sentence: {
        key: 'review_replaceOrder',
        values: {
          pay: { kind: 'amount', volume: body.sellToken.volume, token: shown.sell },
          receive: receivedOf(draft),
        },
      },
      rows: [
        // What the replaced order holds is free again before the new one needs it: the balance says
        // little here.
        ...rows.map(({ leaves: _, ...row }) => row),
        {
          label: { key: 'review_replacedOrder' },
          value: replaced.pays,
          note: { key: 'review_replacedFor', values: { receives: replaced.receives } },
        },
        ...filled.rows,
        ...replacedRows(shown.replaced),
      ],
      warnings: [...filled.warnings, ...warnings, risingIds],
      ...rest,
    };
  },

  storageSlot: ({ body, shown }) => ({
    tokenId: body.sellToken.tokenId,
    parity: 'order',
    reuse: shown.replaced.storageId,
  }),

  /**
   * An order that was filled meanwhile would be filled twice, once as it was and once as its
   * replacement.
   */
  async recheck({ body, shown: { replaced } }, reads) {
    const query = { accountId: body.accountId, orderHash: replaced.order.hash };
    const now = await reads.find('getOrder', { query }, ['ORDER_NOT_FOUND']);
    if (
      now &&
      isOpenOrder({ ...replaced.order, status: now.status }) &&
      now.volumes.baseFilled === replaced.order.baseFilled
    )
      return;
    throw new FactsChanged('The order that was to be replaced is not as it was shown.', { key: 'problem_orderMoved' });
  },
};
