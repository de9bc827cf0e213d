import { address, finalStatuses, MIN_NFT_TOKEN_ID } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { isOpenOrder } from '../protocol/states.ts';
import { z } from '../protocol/zod.ts';
import { orderHashField } from './intentFields.ts';
import { type NftFacts, nftAmount, nftFacts, nftRows } from './nftSlot.ts';
import { clientOrderIdRow, IntentError, type KnownOrder, type Operation, splitFields } from './operation.ts';
import type { ReviewRow, Text, TokenFacts, Value } from './review.ts';
import { type Outcome, outcomeOfStatus } from './settlement.ts';
import { signQuery } from './signByOwner.ts';
import { cancelFits } from './standing.ts';

const intent = once(() =>
  z
    .strictObject({
      account: z.optional(address()),
      orderHash: z.optional(orderHashField()),
      /** Only characters whose encoding in a signed query is beyond doubt. */
      clientOrderId: z.optional(
        z.string().check(z.regex(/^[A-Za-z0-9._-]{1,120}$/, 'has 1 to 120 of the characters A-Z a-z 0-9 . _ -')),
      ),
    })
    .check(
      z.refine(({ orderHash, clientOrderId }) => (orderHash === undefined) !== (clientOrderId === undefined), {
        path: ['orderHash'],
        error: 'exactly one of orderHash and clientOrderId is given',
      }),
    ),
);

export type CancelOrderIntent = z.output<ReturnType<typeof intent>>;

/** The query of `DELETE /api/v3/order`; all of it is signed. */
interface Body {
  readonly accountId: number;
  readonly orderHash: string;
}

interface Shown {
  readonly order: KnownOrder;
  readonly base: TokenFacts | null;
  readonly quote: TokenFacts | null;
  /** Of an NFT order, when the relayer knows its parts. */
  readonly nft?: NftFacts;
}

export const cancelOrder: Operation<CancelOrderIntent, Body, Shown> = {
  name: 'cancelOrder',
  method: 'relayer_cancelOrder',
  permission: 'orders',
  group: 'orders',
  picture: 'cross',
  own: true,
  standing: {
    covers: ({ terms, shown: market }, { shown }) => cancelFits(terms, market, shown.order),
    ownOrder: ({ shown }) => shown.order.hash,
  },
  intent,
  settle: {
    reportsHash: false,
    outcomeOf: outcomeOfCancel,
    async find({ accountId, query, ack }, reads) {
      const orderHash = String(query.orderHash);
      const order = await reads.find('getOrder', { query: { accountId, orderHash } }, ['ORDER_NOT_FOUND']);
      // The relayer knew the order when it took the cancellation.
      if (!order) return ack.status ? undefined : null;
      // An order that is still open was not cancelled: the same bytes may go again.
      return isOpenOrder(order) ? null : outcomeOfCancel(order);
    },
  },
  tooLateFor: ({ query, ack }) => (outcomeOfCancel(ack).state === 'failed' ? [String(query.orderHash)] : []),
  result: ({ ack }) => ({ clientOrderId: ack.clientOrderId ?? '' }),

  async prepare({ orderHash, clientOrderId }, facts) {
    const field = orderHash ? 'orderHash' : 'clientOrderId';
    const order = await facts.order(orderHash ? { hash: orderHash } : { clientOrderId: clientOrderId as string });
    if (!order) throw new IntentError(field, 'this account has no such order');
    if (finalStatuses.order.some((final) => final === order.status))
      throw new IntentError(field, `the order is not open any more (${order.status})`, { key: 'problem_orderMoved' });
    const { base, quote } = await facts.pairOf(order.market);
    const nft = order.nftData === undefined ? null : await nftFacts(order.nftData, facts);
    return {
      body: { accountId: facts.account.accountId, orderHash: order.hash },
      shown: {
        order,
        base: order.nftData === undefined ? base : null,
        quote,
        ...(nft ? { nft } : {}),
      },
    };
  },

  review({ body, shown: { order, base, quote, nft } }) {
    const rows: ReviewRow[] = [{ label: { key: 'review_market' }, value: { kind: 'text', text: order.market } }];
    const counted = (volume: string): Extract<Value, { kind: 'amount' }> | null =>
      nft ? nftAmount(volume, { tokenId: MIN_NFT_TOKEN_ID, ...nft }) : base && { kind: 'amount', volume, token: base };
    const baseAmount = counted(order.baseAmount);
    const filled = counted(order.baseFilled);
    let sentence: Text = { key: 'review_cancelOrder' };
    if (baseAmount && filled && quote) {
      const quoteAmount = { kind: 'amount', volume: order.quoteAmount, token: quote } as const;
      const [pay, receive] = order.side === 'SELL' ? [baseAmount, quoteAmount] : [quoteAmount, baseAmount];
      sentence = { ...sentence, values: { pay, receive } };
      rows.unshift(
        { label: { key: 'review_orderPays' }, value: pay, emphasis: 'pay' },
        { label: { key: 'review_orderReceives' }, value: receive, emphasis: 'receive' },
      );
      rows.push({ label: { key: 'review_filledSoFar' }, value: { ...filled, least: true } });
    }
    if (nft) rows.push(...nftRows(nft));
    rows.push(...clientOrderIdRow(order));
    rows.push({ label: { key: 'review_orderHash' }, value: { kind: 'hex', hex: order.hash }, detail: true });
    return {
      sentence,
      rows,
      ...(nft ? { nft: { nftId: nft.nftId } } : {}),
      warnings: [],
      ...splitFields(body, ['accountId', 'orderHash']),
    };
  },

  storageSlot: () => null,

  async sign({ body }, _storageId, { baseUrl }, keys) {
    const signed = await signQuery('cancelOrder', { ...body }, baseUrl, keys);
    return { ...signed, hash: body.orderHash };
  },
};

/**
 * The cancellation is done when the order is cancelled; any other end of the order is its failure.
 */
function outcomeOfCancel(ack: Readonly<Record<string, unknown>>): Outcome {
  const { state } = outcomeOfStatus(ack);
  if (state === 'cancelled') return { state: 'processed', ack };
  return state === 'open' ? { state, ack } : { state: 'failed', ack, note: `the order is ${state}` };
}
