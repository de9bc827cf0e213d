import { address, erc20TokenId, MAX_FEE_BIPS, seconds } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { DAY_SECONDS } from '../protocol/time.ts';
import { z } from '../protocol/zod.ts';
import { positiveAmount } from './intentFields.ts';
import { comparedPrice, isPriced, type MarketPrices, marketPrices } from './marketFacts.ts';
import { type Approvable, type Draft, IntentError } from './operation.ts';
import { marketName } from './pairOf.ts';
import type { PriceValue, Review, ReviewRow, Text } from './review.ts';
import {
  allowsOrders,
  comparePrices,
  digitsOf,
  type StandingMarket,
  type StandingTerms,
  standingOperations,
} from './standing.ts';
import type { StandingFacts } from './warningFacts.ts';
import { warningsOf } from './warnings.ts';

/** Longest life of a standing approval, seconds. */
const LONGEST = 90 * DAY_SECONDS;
/** Longest window of a rate, seconds. */
const LONGEST_WINDOW = DAY_SECONDS;
/** Most submissions in one window; the journal keeps the time of each. */
const MOST_IN_WINDOW = 1000;

/** Quote tokens for one base token, as decimal text. */
const priceText = once(() =>
  z.string().check(
    z.regex(/^(0|[1-9][0-9]{0,29})(\.[0-9]{1,30})?$/, 'is not a price as decimal text'),
    z.refine((text) => /[1-9]/.test(text), 'is zero'),
  ),
);

const intent = once(() =>
  z
    .strictObject({
      /** Owner address of one of the accounts that the page sees; the first one when absent. */
      account: z.optional(address()),
      /** Both when absent. */
      operations: z.optional(z.array(z.enum(standingOperations)).check(z.minLength(1), z.maxLength(2))),
      sellTokenId: erc20TokenId(),
      buyTokenId: erc20TokenId(),
      /**
       * The worst price: quote tokens for one base token of the market, at least when the base
       * token is sold.
       */
      minPrice: z.optional(priceText()),
      /** At most, when the base token is bought. */
      maxPrice: z.optional(priceText()),
      /** Most that one order may sell, base units. */
      orderVolume: positiveAmount(),
      /** Most that all orders together may sell, base units. */
      totalVolume: positiveAmount(),
      rate: z.strictObject({
        requests: z.int().check(z.minimum(1), z.maximum(MOST_IN_WINDOW)),
        seconds: z.int().check(z.minimum(1), z.maximum(LONGEST_WINDOW)),
      }),
      /**
       * Seconds since 1970; orders that it answers expire then at the latest. At most 90 days away.
       */
      validUntil: seconds(),
    })
    .check(
      z.refine(({ sellTokenId, buyTokenId }) => sellTokenId !== buyTokenId, {
        path: ['buyTokenId'],
        error: 'is the token that is sold',
      }),
      z.refine(({ orderVolume, totalVolume }) => BigInt(orderVolume) <= BigInt(totalVolume), {
        path: ['orderVolume'],
        error: 'is more than totalVolume',
      }),
    ),
);

export type StandingIntent = z.output<ReturnType<typeof intent>>;

/**
 * Limits that the user may make tighter before approving; an absent limit stays as it was asked.
 */
export const standingLimits = once(() =>
  z.strictObject({
    orderVolume: z.optional(positiveAmount()),
    totalVolume: z.optional(positiveAmount()),
    minPrice: z.optional(priceText()),
    maxPrice: z.optional(priceText()),
    /** Signatures in the window that was asked for. */
    requests: z.optional(z.int().check(z.minimum(1))),
    validUntil: z.optional(seconds()),
  }),
);

export type StandingLimits = z.output<ReturnType<typeof standingLimits>>;

export interface StandingShown extends StandingMarket {
  /** Prices with which the worst price is compared in the approval window. */
  readonly prices?: MarketPrices;
}

const priceNote: Text = {
  key: 'review_standingPriceNote',
  values: { rate: { kind: 'bips', bips: MAX_FEE_BIPS } },
};

/** A standing approval as the user decides about it. */
export const standingApproval: Approvable<StandingIntent, StandingTerms, StandingShown> = {
  name: 'standingApproval',
  method: 'relayer_requestStandingApproval',
  permission: 'orders',
  intent,

  async prepare(asked, facts) {
    const sell = await facts.token(asked.sellTokenId, 'sellTokenId');
    const buy = await facts.token(asked.buyTokenId, 'buyTokenId');
    const market = await facts.market(sell.tokenId, buy.tokenId);
    if (!market) throw new IntentError('buyTokenId', `the relayer has no market of ${sell.symbol} and ${buy.symbol}`);
    const side = market.baseTokenId === sell.tokenId ? 'SELL' : 'BUY';
    const needed = side === 'SELL' ? 'minPrice' : 'maxPrice';
    if (asked[needed] === undefined)
      throw new IntentError(needed, `is missing: a ${side === 'SELL' ? 'sale' : 'purchase'} needs its worst price`);
    const { minPrice, maxPrice } = asked;
    if (minPrice !== undefined && maxPrice !== undefined && comparePrices(minPrice, maxPrice) > 0)
      throw new IntentError('minPrice', 'is above maxPrice');
    if (asked.validUntil <= facts.now) throw new IntentError('validUntil', 'is not in the future');
    if (asked.validUntil - facts.now > LONGEST) throw new IntentError('validUntil', 'is more than 90 days away');
    const { account: _, operations, ...terms } = asked;
    const name = marketName(market, sell, buy);
    return {
      body: { operations: standingOperations.filter((one) => operations?.includes(one) ?? true), ...terms },
      shown: { sell, buy, market: name, side, prices: await marketPrices(name, sell, buy, facts) },
    };
  },

  review({ body, shown }, now) {
    const { sell, buy, side } = shown;
    const [base, quote] = side === 'SELL' ? [sell, buy] : [buy, sell];
    const amount = (volume: string) => ({ kind: 'amount', volume, token: sell }) as const;
    const price = (value: string) =>
      ({ kind: 'price', value, exact: true, quote: quote.symbol, base: base.symbol, keep: true }) as const;
    const until = { kind: 'time', seconds: body.validUntil } as const;
    const symbol = { kind: 'text', text: buy.symbol } as const;
    const orders = allowsOrders(body);
    const rows: ReviewRow[] = [];
    if (orders)
      rows.push(
        {
          label: { key: 'review_standingTotal' },
          value: amount(body.totalVolume),
          emphasis: 'pay',
          note: { key: 'review_standingTotalNote' },
        },
        { label: { key: 'review_standingOrder' }, value: amount(body.orderVolume) },
      );
    if (orders && body.minPrice !== undefined)
      rows.push({
        label: { key: 'review_standingMinPrice' },
        value: price(body.minPrice),
        note: priceNote,
      });
    if (orders && body.maxPrice !== undefined)
      rows.push({
        label: { key: 'review_standingMaxPrice' },
        value: { ...price(body.maxPrice), paid: true },
        note: priceNote,
      });
    const compared = orders ? worstCompared(body, shown) : undefined;
    if (compared) rows.push(...compared.rows);
    rows.push(
      {
        label: { key: 'review_standingRate' },
        value: { kind: 'integer', value: body.rate.requests },
        note:
          body.rate.seconds === 1
            ? { key: 'review_standingRateSecond' }
            : { key: 'review_standingRateNote', values: { seconds: { kind: 'integer', value: body.rate.seconds } } },
      },
      { label: { key: 'review_standingUntil' }, value: until, note: { key: 'review_standingUntilNote' } },
    );
    if (body.operations.includes('cancelOrder'))
      rows.push({ label: { key: 'review_standingCancel' }, value: { kind: 'text', text: shown.market } });
    return {
      sentence: orders
        ? { key: 'review_standingApproval', values: { total: amount(body.totalVolume), symbol } }
        : { key: 'review_standingCancelOnly', values: { market: { kind: 'text', text: shown.market } } },
      rows,
      warnings: warningsOf({ now, standing: { orders, ...(compared ? { price: compared.price } : {}) } }),
      bound: [],
      unbound: [],
    } satisfies Review;
  },
};

/** The worst price that the limits allow, beside the market's: rows, and what warns of it. */
function worstCompared(
  { minPrice, maxPrice }: StandingTerms,
  { sell, buy, side, prices = {} }: StandingShown,
): { readonly rows: readonly ReviewRow[]; readonly price: NonNullable<StandingFacts['price']> } | undefined {
  const limit = side === 'SELL' ? minPrice : maxPrice;
  if (limit === undefined) return undefined;
  const [base, quote] = side === 'SELL' ? [sell, buy] : [buy, sell];
  const { value, scale } = digitsOf(limit);
  // An order at exactly this price.
  const baseVolume = `${scale * 10n ** BigInt(base.decimals)}`;
  const quoteVolume = `${value * 10n ** BigInt(quote.decimals)}`;
  const [sold, bought] = side === 'SELL' ? [baseVolume, quoteVolume] : [quoteVolume, baseVolume];
  const { shown, market } = comparedPrice(prices, [sell, sold], [buy, bought], quote.tokenId);
  const worst: PriceValue = {
    kind: 'price',
    value: limit,
    exact: true,
    quote: quote.symbol,
    base: base.symbol,
    paid: side === 'BUY',
    keep: true,
  };
  return {
    rows: shown.map(({ row, loss, pool }) => {
      const [worse, better] = pool
        ? (['review_standingPoolWorse', 'review_standingPoolBetter'] as const)
        : (['review_standingTradeWorse', 'review_standingTradeBetter'] as const);
      return { ...row, note: { key: loss > 0 ? worse : better, values: row.note?.values ?? {} } };
    }),
    price: {
      worst,
      ...(market && isPriced(prices)
        ? { market: { value: { ...market.row.value, keep: true }, lossBips: market.loss } }
        : {}),
    },
  };
}

/**
 * The approval request with tighter limits. One order never sells more than all of them together.
 * @param now - Unix seconds.
 * @throws {IntentError} naming the limit that is looser than what was asked for.
 */
export function tightened(
  { body, shown }: Draft<StandingTerms, StandingShown>,
  limits: StandingLimits,
  now: number,
): Draft<StandingTerms, StandingShown> {
  const { requests = body.rate.requests, minPrice = body.minPrice, maxPrice = body.maxPrice } = limits;
  const next: StandingTerms = {
    ...body,
    orderVolume: limits.orderVolume ?? body.orderVolume,
    totalVolume: limits.totalVolume ?? body.totalVolume,
    validUntil: limits.validUntil ?? body.validUntil,
    rate: { ...body.rate, requests },
    ...(minPrice === undefined ? {} : { minPrice }),
    ...(maxPrice === undefined ? {} : { maxPrice }),
  };
  const refuseIf = (looser: boolean, field: string) => {
    if (looser) throw new IntentError(field, 'is looser than what the site asked for');
  };
  refuseIf(BigInt(next.totalVolume) > BigInt(body.totalVolume), 'totalVolume');
  refuseIf(BigInt(next.orderVolume) > BigInt(body.orderVolume), 'orderVolume');
  refuseIf(requests > body.rate.requests, 'requests');
  refuseIf(next.validUntil > body.validUntil, 'validUntil');
  refuseIf(body.minPrice !== undefined && comparePrices(minPrice ?? '0', body.minPrice) < 0, 'minPrice');
  refuseIf(body.maxPrice !== undefined && comparePrices(maxPrice ?? '0', body.maxPrice) > 0, 'maxPrice');
  if (minPrice !== undefined && maxPrice !== undefined && comparePrices(minPrice, maxPrice) > 0)
    throw new IntentError('minPrice', 'is above maxPrice');
  if (next.validUntil <= now) throw new IntentError('validUntil', 'is not in the future');
  const isWithin = BigInt(next.orderVolume) <= BigInt(next.totalVolume);
  return { body: isWithin ? next : { ...next, orderVolume: next.totalVolume }, shown };
}
