import { BIPS } from '../protocol/limits.ts';
import { plainPrice } from '../protocol/scaledPrice.ts';
import type { Facts } from './operation.ts';
import { amountsOf, pricedPools } from './poolPrices.ts';
import { price } from './price.ts';
import type { PriceValue, ReviewRow, TokenFacts } from './review.ts';
import { digitsOf } from './standing.ts';
import { listedSymbol } from './tokenSymbol.ts';
import type { AmountLimits } from './warningFacts.ts';

/** Seconds for which an answer about prices or minima is good enough to be shown. */
const MAX_AGE_SECONDS = 30;
/** Seconds for which the relayer's token list is good enough. */
const LISTING_AGE_SECONDS = 900;

/** Amounts in a pool of the sold and of the bought token, base units. */
interface PoolAmounts {
  readonly sell: string;
  readonly buy: string;
}

/** Prices with which an order's price is compared. Each part is absent where it cannot be had. */
export interface MarketPrices {
  /** Amounts in the pool of the two tokens, base units. */
  readonly pool?: PoolAmounts;
  /**
   * The same of a risky pool, where there is no other: an order that gets much less than it gives
   * is a bad one, and no order is a fair one by it.
   */
  readonly risky?: PoolAmounts;
  /** The pools could not be had in time: whether there is one of the two tokens is not known. */
  readonly poolUnknown?: true;
  /**
   * The account's own last trade in this market: quote for one base as plain decimal text, and Unix
   * seconds.
   */
  readonly lastTrade?: { readonly price: string; readonly at: number };
}

/** Facts of the relayer's pool and minima about an order; none of it is signed. */
export interface MarketFacts extends MarketPrices {
  readonly limits?: AmountLimits;
  /** Least and largest amount of the sold token that the relayer lists. */
  readonly sold?: AmountLimits;
}

/**
 * Whether a price can be compared: with the pool's, or with the last trade's in a market without a
 * pool.
 */
export const isPriced = ({ pool, risky, poolUnknown, lastTrade }: MarketPrices): boolean =>
  pool !== undefined || (lastTrade !== undefined && !risky && !poolUnknown);

export type PriceRow = ReviewRow & { readonly value: PriceValue };

interface Side {
  readonly token: TokenFacts;
  readonly volume: string;
}

async function poolOf(sell: TokenFacts, buy: TokenFacts, facts: Facts): Promise<MarketPrices> {
  const [pools, hasPrice] = await Promise.all([
    facts.recent('getAmmBalances', {}, MAX_AGE_SECONDS),
    pricedPools(facts),
  ]);
  if (!pools) return { poolUnknown: true };
  const priced = pools.filter(hasPrice);
  const amounts = (some: typeof priced) => amountsOf(some, sell.tokenId, buy.tokenId);
  // Small trades move a risky pool, so what it gives is no measure of a fair price.
  const pool = amounts(priced.filter(({ risky }) => !risky));
  if (pool) return { pool };
  const risky = amounts(priced);
  return risky ? { risky } : {};
}

/** Below it a time is in seconds: as milliseconds it would be in 1973. */
const LEAST_MILLISECONDS = 100_000_000_000;

/**
 * When a relayer's rates are refreshed, in milliseconds: relayers write seconds, some milliseconds.
 */
export const overdueAtOf = (cacheOverdueAt: number): number =>
  cacheOverdueAt < LEAST_MILLISECONDS ? cacheOverdueAt * 1000 : cacheOverdueAt;

async function limitsOf(market: string, { token, volume }: Side, facts: Facts): Promise<AmountLimits | undefined> {
  const { accountId } = facts.account;
  const rates = await facts.recent('getOrderUserRateAmount', { query: { accountId, market } }, MAX_AGE_SECONDS);
  const row = rates?.amounts?.find(({ tokenSymbol }) => tokenSymbol === listedSymbol(token));
  if (!rates || !row) return undefined;
  const least = row.baseOrderInfo?.minAmount;
  const { minAmount: usual, makerRate = 0, takerRate = 0 } = row.userOrderInfo ?? {};
  const amount = BigInt(volume);
  const cost = amount < BigInt(usual ?? 0) ? BigInt(row.tradeCost ?? 0) * BIPS : 0n;
  return {
    amount: volume,
    token,
    // What a small order pays covers the cost of the trade.
    rate: Math.max(makerRate, takerRate, Number((cost + amount - 1n) / amount)),
    ...(least === undefined ? {} : { least }),
    ...(usual === undefined ? {} : { usual }),
    ...(rates.cacheOverdueAt === undefined ? {} : { overdueAt: overdueAtOf(rates.cacheOverdueAt) }),
  };
}

async function soldOf({ token, volume }: Side, facts: Facts): Promise<AmountLimits | undefined> {
  const tokens = await facts.recent('getTokens', {}, LISTING_AGE_SECONDS);
  const amounts = tokens?.find(({ tokenId }) => tokenId === token.tokenId)?.orderAmounts;
  return amounts && { amount: volume, token, least: amounts.minimum, largest: amounts.maximum };
}

/** Row of a trade: when (ms) and at which price, among others. */
async function lastTradeOf(market: string, facts: Facts): Promise<MarketPrices> {
  const { accountId } = facts.account;
  const answer = await facts.recent('getUserTrades', { query: { accountId, market, limit: 1 } }, MAX_AGE_SECONDS);
  const [at = '', , , , text = ''] = answer?.trades[0] ?? [];
  const price = plainPrice(text);
  return /^\d{1,16}$/.test(at) && price !== undefined && price !== '0'
    ? { lastTrade: { price, at: Math.floor(Number(at) / 1000) } }
    : {};
}

/** Reads them side by side. */
export async function marketPrices(
  market: string,
  sell: TokenFacts,
  buy: TokenFacts,
  facts: Facts,
): Promise<MarketPrices> {
  const [pool, trade] = await Promise.all([poolOf(sell, buy, facts), lastTradeOf(market, facts)]);
  return { ...pool, ...trade };
}

/**
 * Reads them side by side; the minima are those of the bought amount, from which the fee is taken.
 */
export async function marketFacts(market: string, sell: Side, buy: Side, facts: Facts): Promise<MarketFacts> {
  const [prices, limits, sold] = await Promise.all([
    marketPrices(market, sell.token, buy.token, facts),
    limitsOf(market, buy, facts),
    soldOf(sell, facts),
  ]);
  return { ...prices, ...(limits ? { limits } : {}), ...(sold ? { sold } : {}) };
}

/**
 * Ten-thousandths by which the order gets less than the pool's price gives; negative when it asks
 * for more.
 */
export function lossAgainstPool(pool: PoolAmounts, sell: string, buy: string): number {
  const fair = BigInt(sell) * BigInt(pool.buy);
  return Number(((fair - BigInt(buy) * BigInt(pool.sell)) * BIPS) / fair);
}

/**
 * Computes how much less the order gets than at the pool's price, in base units of the bought
 * token, rounded up.
 */
export function lostAgainstPool(pool: PoolAmounts, sell: string, buy: string): bigint {
  const [sold, pooled] = [BigInt(sell), BigInt(pool.sell)];
  return (sold * BigInt(pool.buy) + pooled - 1n) / pooled - BigInt(buy);
}

/**
 * The account's last trade, and the distance of an order's price from it.
 * @returns `loss`: ten-thousandths by which the order gets less than the trade; negative when it
 *   asks for more.
 */
export function lastTradeRow(
  { price: value, at }: NonNullable<MarketFacts['lastTrade']>,
  [sell, sold]: readonly [TokenFacts, string],
  [buy, bought]: readonly [TokenFacts, string],
  quoteTokenId: number,
): { readonly row: PriceRow; readonly loss: number } {
  const sellIsQuote = quoteTokenId === sell.tokenId;
  const [quote, base] = sellIsQuote ? [sell, buy] : [buy, sell];
  const [quoteVolume, baseVolume] = (sellIsQuote ? [sold, bought] : [bought, sold]).map(BigInt) as [bigint, bigint];
  const { value: price, scale } = digitsOf(value);
  // What the trade's price would exchange for the order's base, and what the order exchanges, in
  // the same units.
  const fair = baseVolume * 10n ** BigInt(quote.decimals) * price;
  const offered = quoteVolume * 10n ** BigInt(base.decimals) * scale;
  const loss = sellIsQuote ? Number(((offered - fair) * BIPS) / offered) : Number(((fair - offered) * BIPS) / fair);
  const distance = { kind: 'bips', bips: Math.abs(loss) } as const;
  const row: PriceRow = {
    label: { key: 'review_lastTrade' },
    value: { kind: 'price', value, exact: true, quote: quote.symbol, base: base.symbol },
    note: {
      key: loss > 0 ? 'review_lastTradeWorse' : 'review_lastTradeBetter',
      values: { distance, time: { kind: 'time', seconds: at } },
    },
  };
  return { row, loss };
}

/** The pool's price in the same direction, with the distance of the order's. */
export function poolPriceRow(
  pool: PoolAmounts,
  loss: number,
  sellIsQuote: boolean,
  sell: TokenFacts,
  buy: TokenFacts,
): PriceRow {
  const [quote, base] = sellIsQuote ? [sell, buy] : [buy, sell];
  const [quoteAmount, baseAmount] = sellIsQuote ? [pool.sell, pool.buy] : [pool.buy, pool.sell];
  return {
    label: { key: 'review_poolPrice' },
    value: price(BigInt(quoteAmount), BigInt(baseAmount), quote, base),
    note: {
      key: loss > 0 ? 'review_priceWorse' : 'review_priceBetter',
      values: { distance: { kind: 'bips', bips: Math.abs(loss) } },
    },
  };
}

/** A price beside an order's; `loss` as in `lastTradeRow`, `pool` where it is a pool's. */
interface Compared {
  readonly row: PriceRow;
  readonly loss: number;
  readonly pool?: PoolAmounts;
}

/**
 * Compares an order's price with the market's.
 * @returns `shown`: what the review shows; `market`: what warns. The pool tells what the market
 *   gives now; where there is none, the last trade is the next best, and beside a risky pool
 *   whichever of them warns more.
 */
export function comparedPrice(
  { pool, risky, poolUnknown, lastTrade }: MarketPrices,
  sells: readonly [TokenFacts, string],
  buys: readonly [TokenFacts, string],
  quoteTokenId: number,
): { readonly shown: readonly Compared[]; readonly market: Compared | undefined } {
  const [sell, sold] = sells;
  const [buy, bought] = buys;
  const of = (amounts: PoolAmounts): Compared => {
    const loss = lossAgainstPool(amounts, sold, bought);
    return { row: poolPriceRow(amounts, loss, quoteTokenId === sell.tokenId, sell, buy), loss, pool: amounts };
  };
  const shown: Compared[] = pool ? [of(pool)] : [];
  if (lastTrade) shown.push(lastTradeRow(lastTrade, sells, buys, quoteTokenId));
  const known = risky ? [...shown, of(risky)].sort((one, other) => other.loss - one.loss) : shown;
  return { shown, market: poolUnknown ? undefined : known[0] };
}

/** The two least amounts of the interface document. */
export const limitRows = ({ least, usual }: AmountLimits, token: TokenFacts): ReviewRow[] =>
  usual === undefined || least === undefined
    ? []
    : [
        {
          label: { key: 'review_leastAmount' },
          value: { kind: 'amount', volume: usual, token },
          detail: true,
          note: {
            key: 'review_leastAmountNote',
            values: { amount: { kind: 'amount', volume: least, token } },
          },
        },
      ];
