import { formatUnits } from 'viem';
import { ParameterError } from '../errors.ts';
import type { SubmitOrderParameters } from '../generated/methods.ts';
import { ceilDivide, readDecimal } from './decimal.ts';
import type { ListedToken, TradedMarket } from './tradedMarket.ts';

/** An order in whole tokens, as people speak of it. */
export interface LimitOrderParameters
  extends Omit<SubmitOrderParameters, 'sellToken' | 'buyToken' | 'fillAmountBOrS' | 'orderType' | 'poolAddress'> {
  /** `BASE-QUOTE`, such as `LRC-ETH` */
  readonly market: string;
  /** Whether the base token is bought or sold */
  readonly side: 'BUY' | 'SELL';
  /**
   * Whole quote tokens for one whole base token, decimal text in the price steps of the market,
   * such as `0.0000667`
   */
  readonly price: string;
  /** Whole base tokens, decimal text such as `1000` */
  readonly size: string;
  readonly orderType?: 'LIMIT_ORDER' | 'TAKER_ONLY' | 'MAKER_ONLY' | undefined;
}

/** Amounts that an order pays and receives, in base units, before the fee. */
export interface OrderTerms {
  readonly side: LimitOrderParameters['side'];
  readonly sold: ListedToken;
  readonly bought: ListedToken;
  readonly pays: bigint;
  readonly receives: bigint;
  /** A volume of the base token times `numerator` / `denominator` is one of the quote token. */
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Of the prices of a relayer that names no number of digits. */
const MOST_PRICE_DIGITS = 30;

/**
 * Reads an order without comparing it with the limits of the market.
 * @throws {ParameterError} `market`, `side`, `price` or `size`. A price between two steps of the
 *   market is refused, not rounded.
 */
export function readTerms(traded: TradedMarket, { market: name, side, price, size }: LimitOrderParameters): OrderTerms {
  const { market, base, quote } = traded;
  if (name !== market.market) throw new ParameterError(`market: is not ${market.market}`);
  if (side !== 'BUY' && side !== 'SELL') throw new ParameterError('side: is neither BUY nor SELL');
  const given = readDecimal('price', price, market.precisionForPrice ?? MOST_PRICE_DIGITS);
  const { units, digits } = readDecimal('size', size, base.decimals);
  const baseVolume = units * 10n ** BigInt(base.decimals - digits);
  const numerator = given.units * 10n ** BigInt(quote.decimals);
  const denominator = 10n ** BigInt(base.decimals + given.digits);
  // Rounded against the order: rounded the other way it would not reach an offer at its very price.
  const exact = baseVolume * numerator;
  const quoteVolume = side === 'BUY' ? ceilDivide(exact, denominator) : exact / denominator;
  if (quoteVolume === 0n)
    throw new ParameterError(`size: is worth less than the smallest unit of ${quote.symbol} at this price`);
  return side === 'BUY'
    ? { side, sold: quote, bought: base, pays: quoteVolume, receives: baseVolume, numerator, denominator }
    : { side, sold: base, bought: quote, pays: baseVolume, receives: quoteVolume, numerator, denominator };
}

/** An amount in whole tokens, such as `0.5 ETH`. */
export const inTokens = (volume: bigint | string, { decimals, symbol }: ListedToken): string =>
  `${formatUnits(BigInt(volume), decimals)} ${symbol}`;

/** Finds the limit of the market that an order breaks; `null` when it breaks none. */
export function limitProblem({ sold, bought, pays, receives }: OrderTerms) {
  const [ofSold, ofBought] = [sold.orderAmounts, bought.orderAmounts];
  if (ofSold && pays < BigInt(ofSold.minimum))
    return { reason: 'belowMinimum', rule: `an order has to sell at least ${inTokens(ofSold.minimum, sold)}` } as const;
  if (ofSold && pays > BigInt(ofSold.maximum))
    return { reason: 'aboveMaximum', rule: `an order can sell at most ${inTokens(ofSold.maximum, sold)}` } as const;
  if (ofBought && receives > BigInt(ofBought.maximum))
    return { reason: 'aboveMaximum', rule: `an order can buy at most ${inTokens(ofBought.maximum, bought)}` } as const;
  return null;
}

/**
 * The order in base units. The size ends it: once so much of the base token is sold, or is bought.
 */
export function orderOf(
  { side, sold, bought, pays, receives }: OrderTerms,
  wanted: LimitOrderParameters,
): SubmitOrderParameters {
  const { market: _market, side: _side, price: _price, size: _size, ...rest } = wanted;
  return {
    ...rest,
    sellToken: { tokenId: sold.tokenId, volume: pays },
    buyToken: { tokenId: bought.tokenId, volume: receives },
    fillAmountBOrS: side === 'BUY',
  };
}

/**
 * Turns an order in whole tokens into what `submitOrder` takes, by exact arithmetic and without
 * asking anybody.
 * @throws {ParameterError} `field` is `market`, `side`, `price` (also one between two steps of the
 *   market), or `size` (also one outside the limits of the market).
 * @example
 * const traded = findTradedMarket(await getMarkets(client), await getTokens(client), 'LRC-ETH');
 * const order = toOrderParameters(traded, { market: 'LRC-ETH', side: 'SELL', price: '0.0000667', size: '1000' });
 */
export function toOrderParameters(traded: TradedMarket, wanted: LimitOrderParameters): SubmitOrderParameters {
  const terms = readTerms(traded, wanted);
  const problem = limitProblem(terms);
  if (problem) throw new ParameterError(`size: ${problem.rule}`);
  return orderOf(terms, wanted);
}
