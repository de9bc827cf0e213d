import {
  address,
  booleanField,
  clientOrderId,
  type EndpointBody,
  MAX_FEE_BIPS,
  MAX_LIMIT,
  maxFeeBips,
  orderBoundFields,
  orderHash,
  orderType,
  seconds,
  tradeChannel,
} from '../protocol/index.ts';
import { BIPS } from '../protocol/limits.ts';
import { once } from '../protocol/once.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';
import { type Execution, orderExecution } from './execution.ts';
import { deadline, positiveVolume, takerOf } from './intentFields.ts';
import { comparedPrice, isPriced, limitRows, lostAgainstPool, type MarketFacts, marketFacts } from './marketFacts.ts';
import {
  clientOrderIdRow,
  type Draft,
  type Facts,
  IntentError,
  type Keys,
  type Operation,
  type SignedRequest,
  splitFields,
} from './operation.ts';
import { marketName } from './pairOf.ts';
import { poolFeeOf } from './poolPrices.ts';
import { price } from './price.ts';
import { type BookName, bookNameOf, contractRow, recipientOf, recipientRow } from './recipient.ts';
import type { Review, ReviewRow, Text, TokenFacts, Value } from './review.ts';
import { blocksOfFills, outcomeOfStatus, type Settlement } from './settlement.ts';
import { signByAccount } from './signByOwner.ts';
import { allowsDirection, isUnchangedToken, orderFits } from './standing.ts';
import type { AmountLimits, Recipient } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

/** Validity of an order that names no expiry. */
export const ORDER_VALIDITY_SECONDS = 30 * DAY_SECONDS;

/** Fields of an order that a page may set. */
export const orderFields = () => ({
  sellToken: positiveVolume(),
  buyToken: positiveVolume(),
  /** Only `false` is supported by relayers. */
  allOrNone: z.optional(z.literal(false, { error: 'only false is supported' })),
  /** `true`: done when the buy volume is reached; `false`: when the sell volume is. */
  fillAmountBOrS: z.optional(booleanField()),
  /** Seconds; 30 days from now when absent. */
  validUntil: z.optional(seconds()),
  /**
   * Ten-thousandths; the most that the interface document allows when absent, and the review shows
   * what that means.
   */
  maxFeeBips: z.optional(maxFeeBips()),
  clientOrderId: z.optional(clientOrderId()),
  orderType: z.optional(orderType()),
  tradeChannel: z.optional(tradeChannel()),
  /** Owner that alone may fill the order; anybody when absent or the zero address. */
  taker: z.optional(address()),
  poolAddress: z.optional(address()),
  affiliate: z.optional(z.string().check(z.regex(/^[0-9]{1,10}$/, 'is not an account id'))),
});

interface RuledOrder {
  readonly sellToken: { readonly tokenId: number };
  readonly buyToken: { readonly tokenId: number };
  readonly orderType?: string | undefined;
  readonly poolAddress?: string | undefined;
  readonly fillAmountBOrS?: boolean | undefined;
}

/** Adds the rules that hold between the fields of an order. */
export const withOrderRules = <Schema extends z.ZodMiniType<RuledOrder>>(schema: Schema) =>
  schema.check(
    z.refine(({ sellToken, buyToken }) => sellToken.tokenId !== buyToken.tokenId, {
      path: ['buyToken', 'tokenId'],
      error: 'is the token that is sold',
    }),
    z.refine((order) => (order.orderType === 'AMM') === (order.poolAddress !== undefined), {
      path: ['poolAddress'],
      error: 'goes with orderType AMM, and only with it',
    }),
    z.refine((order) => order.orderType !== 'AMM' || !order.fillAmountBOrS, {
      path: ['fillAmountBOrS'],
      error: 'is false for AMM orders',
    }),
  );

const intent = once(() =>
  withOrderRules(
    z.strictObject({
      /** Owner address of one of the accounts that the page sees; the first one when absent. */
      account: z.optional(address()),
      ...orderFields(),
    }),
  ),
);

export type SubmitOrderIntent = z.output<ReturnType<typeof intent>>;
export type OrderBody = Omit<EndpointBody<'submitOrder'>, 'storageId' | 'eddsaSignature'>;

const fillTermNames = [
  'fillAmountBOrS',
  'maxFeeBips',
  'orderType',
  'tradeChannel',
  'taker',
  'poolAddress',
  'affiliate',
] as const;

/** Fields of an order that say how it fills, apart from its amounts and its expiry. */
export type FillTerms = Pick<OrderBody, (typeof fillTermNames)[number]>;

export const fillTerms = (body: OrderBody): FillTerms =>
  Object.fromEntries(
    fillTermNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  ) as unknown as FillTerms;

/** The name is the pool's. */
export interface OrderShown extends BookName {
  readonly sell: TokenFacts;
  readonly buy: TokenFacts;
  /** Token that prices are quoted in; the bought one when the relayer has no such market. */
  readonly quoteTokenId: number;
  readonly market: MarketFacts;
  /** Of an order that names the pool or its channel: ten-thousandths that the pool takes. */
  readonly poolFeeBips?: number;
  readonly taker?: Recipient;
}

/** What is the same for all operations that place an order. */
export const orderOperation = {
  permission: 'orders',
  group: 'orders',
  placesOrder: true,
  executedAs: executedOrder,
  settle: orderSettlement(outcomeOfStatus),
  result: ({ ack }) => ({ clientOrderId: ack.clientOrderId ?? '' }),
  sign: ({ body }, storageId, _facts, keys) => signOrder(body, storageId, keys),
} satisfies Partial<Operation<never, OrderBody, OrderShown>>;

export const submitOrder: Operation<SubmitOrderIntent, OrderBody, OrderShown> = {
  ...orderOperation,
  name: 'submitOrder',
  method: 'relayer_submitOrder',
  own: true,
  standing: {
    // Without a market price nothing could warn of a bad one.
    covers: ({ terms, shown: market }, { body, shown }) =>
      isPriced(shown.market) &&
      isUnchangedToken(market.sell, shown.sell) &&
      isUnchangedToken(market.buy, shown.buy) &&
      orderFits(terms, market, body),
    sells: ({ body }) => BigInt(body.sellToken.volume),
    endingBy: (intent, terms, now) =>
      intent.validUntil === undefined && allowsDirection(terms, intent)
        ? { ...intent, validUntil: Math.min(terms.validUntil, now + ORDER_VALIDITY_SECONDS) }
        : null,
  },
  intent,
  prepare: prepareOrder,
  review: (draft, now) => ({ sentence: orderSentence(draft), ...reviewOrder(draft, now) }),
  storageSlot: ({ body }) => ({ tokenId: body.sellToken.tokenId, parity: 'order' }),
};

/** How blocks carry out the order of a body. */
export function executedOrder({ sellToken, buyToken, ...body }: OrderBody, storageId: number | null): Execution {
  const amountOf = ({ tokenId, volume }: OrderBody['sellToken']) => ({ tokenId, amount: volume });
  return orderExecution({ ...body, sells: amountOf(sellToken), buys: amountOf(buyToken) }, storageId);
}

/** How the end of an order is found. */
export function orderSettlement(outcomeOf: Settlement['outcomeOf']): Settlement {
  return {
    reportsHash: true,
    outcomeOf,
    async find({ accountId, hash }, reads) {
      if (hash === null) return null;
      const order = await reads.find('getOrder', { query: { accountId, orderHash: hash } }, ['ORDER_NOT_FOUND']);
      return order && outcomeOf(order);
    },
    async blocks({ accountId, hash }, reads) {
      if (hash === null) return { blockIds: [], more: false };
      const query = { accountId, orderHash: hash, limit: MAX_LIMIT };
      const { trades, totalNum } = await reads.read('getUserTrades', { query });
      return blocksOfFills(
        trades.map((row) => row[7]),
        totalNum,
      );
    },
  };
}

/** Completes an order. */
export async function prepareOrder(asked: SubmitOrderIntent, facts: Facts): Promise<Draft<OrderBody, OrderShown>> {
  const sell = await facts.token(asked.sellToken.tokenId, 'sellToken.tokenId');
  const buy = await facts.token(asked.buyToken.tokenId, 'buyToken.tokenId');
  const market = await facts.market(sell.tokenId, buy.tokenId);
  if (!market)
    throw new IntentError('buyToken.tokenId', `the relayer has no market of ${sell.symbol} and ${buy.symbol}`);
  const validUntil = await deadline(asked.validUntil ?? facts.now + ORDER_VALIDITY_SECONDS, facts);
  const { account: _, validUntil: __, taker: ___, ...rest } = asked;
  const taker = takerOf(asked.taker);
  return {
    body: {
      ...rest,
      ...(taker === undefined ? {} : { taker }),
      exchange: facts.exchangeAddress,
      accountId: facts.account.accountId,
      allOrNone: false,
      fillAmountBOrS: asked.fillAmountBOrS ?? false,
      validUntil,
      maxFeeBips: asked.maxFeeBips ?? MAX_FEE_BIPS,
    },
    shown: {
      sell,
      buy,
      quoteTokenId: market.quoteTokenId,
      market: await marketFacts(
        marketName(market, sell, buy),
        { token: sell, volume: asked.sellToken.volume },
        { token: buy, volume: asked.buyToken.volume },
        facts,
      ),
      ...(asked.tradeChannel === 'AMM_POOL' || asked.orderType === 'AMM'
        ? await poolFeeOf([sell.tokenId, buy.tokenId], facts)
        : {}),
      ...(taker === undefined ? {} : { taker: await recipientOf(taker, facts) }),
      ...(asked.poolAddress === undefined ? {} : await bookNameOf(asked.poolAddress, facts)),
    },
  };
}

/** Rows, warnings and the split of an order; the sentence is the operation's. */
export function reviewOrder(draft: Draft<OrderBody, OrderShown>, now: number): Omit<Review, 'sentence'> {
  const { body, shown } = draft;
  const { sell, buy } = shown;
  const pay = { kind: 'amount', volume: body.sellToken.volume, token: sell } as const;
  const receive = receivedOf(draft);
  const sellVolume = BigInt(body.sellToken.volume);
  const buyVolume = BigInt(body.buyToken.volume);
  const worstFee = { kind: 'amount', volume: feeOf(buyVolume, body.maxFeeBips), token: buy } as const;
  const rate = { kind: 'bips', bips: body.maxFeeBips } as const;
  const rows: ReviewRow[] = [
    {
      label: { key: 'review_pay' },
      value: pay,
      emphasis: 'pay',
      leaves: true,
      note: { key: body.fillAmountBOrS ? 'review_atMost' : 'review_allOfIt' },
    },
    {
      label: { key: 'review_receive' },
      value: receive,
      emphasis: 'receive',
      note: {
        key: 'review_afterFee',
        values: { gross: { kind: 'amount', volume: body.buyToken.volume, token: buy, least: true }, fee: worstFee },
      },
    },
    {
      label: { key: 'review_price' },
      value:
        shown.quoteTokenId === sell.tokenId
          ? price(sellVolume, buyVolume, sell, buy, true)
          : price(buyVolume, sellVolume, buy, sell),
    },
    {
      label: { key: 'review_worstFee' },
      // An order that is filled by what it sells may buy more, and pays the fee of that too.
      value: body.fillAmountBOrS ? worstFee : rate,
      note: { key: 'review_worstFeeNote', values: { rate } },
      // The line under what arrives says it.
      detail: true,
    },
    { label: { key: 'review_expires' }, value: { kind: 'time', seconds: body.validUntil } },
  ];
  const { sold, poolUnknown } = shown.market;
  const limits = chargedLimits(draft);
  const { shown: prices, market } = comparedPrice(
    shown.market,
    [sell, body.sellToken.volume],
    [buy, body.buyToken.volume],
    shown.quoteTokenId,
  );
  rows.splice(3, 0, ...prices.map(({ row }) => row));
  if (limits) rows.push(...limitRows(limits, buy));
  if (body.orderType && body.orderType !== 'LIMIT_ORDER')
    rows.push({
      label: { key: 'review_orderType' },
      value: { kind: 'message', key: `orderType_${body.orderType}` },
      unsigned: true,
      detail: true,
    });
  if (shown.taker) rows.push(...recipientRow(shown.taker, 'review_taker'));
  if (body.poolAddress) rows.push({ ...contractRow('review_pool', body.poolAddress, shown), unsigned: true });
  rows.push(...clientOrderIdRow(body).map((row) => ({ ...row, unsigned: true as const })));
  return {
    rows,
    warnings: warningsOf({
      now,
      order: { validUntil: body.validUntil, isPool: body.orderType === 'AMM' },
      ...(market
        ? { price: { lossBips: market.loss, ...(market.pool ? { loss: amountLost(market.pool, body, buy) } : {}) } }
        : {}),
      ...(isPriced(shown.market) ? {} : { unpriced: poolUnknown ? 'late' : 'absent' }),
      ...(limits ? { limits } : {}),
      ...(sold ? { sold } : {}),
      ...(shown.taker ? { recipient: shown.taker } : {}),
    }),
    ...splitFields(body, orderBoundFields),
  };
}

/**
 * The limits of an order. One that may fill in the pool allows the pool's rate too. One for the
 * pool alone pays no other: of the amounts only the least counts.
 */
function chargedLimits({ body, shown }: Draft<OrderBody, OrderShown>): AmountLimits | undefined {
  const { tradeChannel, orderType, maxFeeBips } = body;
  const { limits } = shown.market;
  if (!limits) return undefined;
  const { usual, rate = 0, ...rest } = limits;
  const poolRate = shown.poolFeeBips ?? 0;
  if (tradeChannel === 'AMM_POOL' && orderType !== 'AMM') return { ...rest, rate: poolRate, maxFeeBips };
  return { ...limits, rate: Math.max(rate, poolRate), maxFeeBips };
}

/** Recomputes the hash of an order and signs it. */
export async function signOrder(body: OrderBody, storageId: number | null, keys: Keys): Promise<SignedRequest> {
  if (storageId === null) throw new Error('an order is signed with a storage id');
  const order = { ...body, storageId };
  return signByAccount('submitOrder', order, orderHash(order), keys);
}

/** Pays and receives, in one sentence. */
const orderSentence = ({ body, shown }: Draft<OrderBody, OrderShown>): Text => ({
  key: 'review_submitOrder',
  values: {
    pay: { kind: 'amount', volume: body.sellToken.volume, token: shown.sell },
    receive: receivedOf({ body, shown }),
  },
});

/** Gives the least that arrives, after the highest fee. */
export const receivedOf = ({ body, shown }: Draft<OrderBody, OrderShown>): Value => {
  const bought = BigInt(body.buyToken.volume);
  return {
    kind: 'amount',
    volume: (bought - BigInt(feeOf(bought, body.maxFeeBips))).toString(),
    token: shown.buy,
    least: true,
  };
};

const amountLost = (pool: NonNullable<MarketFacts['pool']>, body: OrderBody, buy: TokenFacts): Value => ({
  kind: 'amount',
  volume: lostAgainstPool(pool, body.sellToken.volume, body.buyToken.volume).toString(),
  token: buy,
});

/** The fee that a rate takes from a bought volume, rounded up, in base units. */
export function feeOf(volume: bigint, bips: number): string {
  return ((volume * BigInt(bips) + BIPS - 1n) / BIPS).toString();
}
