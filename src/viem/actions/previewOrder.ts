import { formatUnits } from 'viem';
import type { RelayerClient } from '../ask.ts';
import type { GetOrderUserRateAmountReturnType, SubmitOrderParameters } from '../generated/methods.ts';
import { getBalances, getOrderUserRateAmount } from '../generated/reads.ts';
import { ceilDivide } from '../orders/decimal.ts';
import {
  inTokens,
  type LimitOrderParameters,
  limitProblem,
  type OrderTerms,
  orderOf,
  readTerms,
} from '../orders/toOrderParameters.ts';
import { type ListedToken, readTradedMarket } from '../orders/tradedMarket.ts';

/** Whole tokens as decimal text. */
export interface TokenText {
  /** Symbol */
  readonly token: string;
  readonly amount: string;
}

/** Why the relayer would refuse an order as it stands. */
export interface OrderProblem {
  readonly reason: 'belowMinimum' | 'aboveMaximum' | 'balance' | 'feeAboveMaximum';
  /** The parameter to change. */
  readonly field: 'size' | 'maxFeeBips';
  /** Rule that the field breaks. */
  readonly rule: string;
}

export interface OrderPreview {
  /** For `submitOrder`; amounts in base units. */
  readonly order: SubmitOrderParameters;
  readonly pays: TokenText;
  /** Before the fee. */
  readonly receives: TokenText;
  /**
   * Rates in ten-thousandths, and the most that they take of `receives`; `null` for an order that
   * is too small for any rate, `undefined` when the relayer names no rates.
   */
  readonly fee: { readonly makerBips: number; readonly takerBips: number; readonly most: TokenText } | null | undefined;
  /** Least size that is taken at this price, in whole base tokens. */
  readonly minimumSize: string;
  /** Balance of the sold token that no order holds. */
  readonly available: TokenText;
  /** Empty when the order can be taken. */
  readonly problems: readonly OrderProblem[];
}

type RateRow = NonNullable<GetOrderUserRateAmountReturnType['amounts']>[number];

const BIPS = 10_000n;

const textOf = (volume: bigint, { symbol, decimals }: ListedToken): TokenText => ({
  token: symbol,
  amount: formatUnits(volume, decimals),
});

/**
 * The rates of an order by what it buys: the account's, or for a small order those that pay for its
 * settlement.
 */
function ratesOf({ userOrderInfo, baseOrderInfo, tradeCost }: RateRow, bought: bigint) {
  const { makerRate, takerRate, minAmount = '0' } = userOrderInfo ?? {};
  if (bought < BigInt(baseOrderInfo?.minAmount ?? 0)) return null;
  if (makerRate === undefined || takerRate === undefined) return undefined;
  if (bought >= BigInt(minAmount)) return { makerBips: makerRate, takerBips: takerRate };
  const paysFor =
    tradeCost === undefined ? baseOrderInfo?.takerRate : Number(ceilDivide(BigInt(tradeCost) * BIPS, bought));
  if (paysFor === undefined) return undefined;
  const bips = Math.max(makerRate, takerRate, paysFor);
  return { makerBips: bips, takerBips: bips };
}

/** The least volume of the base token whose order sells and buys enough. */
function leastBaseVolume({ side, sold, numerator, denominator }: OrderTerms, leastBought: bigint): bigint {
  const leastSold = BigInt(sold.orderAmounts?.minimum ?? 1);
  const [ofBase, ofQuote] =
    side === 'SELL'
      ? [leastSold, ceilDivide(leastBought * denominator, numerator)]
      : [leastBought, ((leastSold - 1n) * denominator) / numerator + 1n];
  return ofBase > ofQuote ? ofBase : ofQuote;
}

/**
 * Tells what a limit order costs and whether the relayer would take it, by reads alone. Shows no
 * window; needs the permission *read* and an unlocked wallet. Balances and fees change: the relayer
 * decides when the order arrives.
 * @returns What stands against the order in `problems`.
 * @throws {ParameterError} An order that cannot be computed; `field` is `market`, `side`, `price`
 *   (also one between two steps of the market) or `size`.
 * @throws {RelayerActionError}
 * @example
 * const { fee, problems } = await client.relayer.previewOrder({ market: 'LRC-ETH', side: 'BUY', price: '0.0000667', size: '1000' });
 * show(problems.length > 0 ? problems : fee?.most.amount);
 */
export async function previewOrder(client: RelayerClient, parameters: LimitOrderParameters): Promise<OrderPreview> {
  const { market, account, maxFeeBips } = parameters;
  const traded = await readTradedMarket(client, market);
  const terms = readTerms(traded, parameters);
  const { sold, bought, pays, receives } = terms;
  const [balances, rates] = await Promise.all([
    getBalances(client, { account, tokens: [sold.tokenId] }),
    getOrderUserRateAmount(client, { account, market }),
  ]);
  const held = balances.find(({ tokenId }) => tokenId === sold.tokenId);
  const available = held ? BigInt(held.total) - BigInt(held.locked) : 0n;
  const row = rates.amounts?.find(({ tokenSymbol }) => tokenSymbol === bought.symbol) ?? {};
  const bips = ratesOf(row, receives);
  const leastBought = BigInt(row.baseOrderInfo?.minAmount || 1);
  const needed = bips && Math.max(bips.makerBips, bips.takerBips);

  const problems: OrderProblem[] = [];
  const problem = limitProblem(terms);
  if (problem) problems.push({ field: 'size', ...problem });
  if (needed === null)
    problems.push({
      field: 'size',
      reason: 'belowMinimum',
      rule: `an order has to buy at least ${inTokens(leastBought, bought)}, so that its fee covers the cost of a trade`,
    });
  if (pays > available)
    problems.push({ field: 'size', reason: 'balance', rule: `the account has ${inTokens(available, sold)} available` });
  if (needed && maxFeeBips !== undefined && maxFeeBips < needed)
    problems.push({ field: 'maxFeeBips', reason: 'feeAboveMaximum', rule: `this order needs ${needed}` });
  return {
    order: orderOf(terms, parameters),
    pays: textOf(pays, sold),
    receives: textOf(receives, bought),
    fee: bips && { ...bips, most: textOf(ceilDivide(receives * BigInt(needed ?? 0), BIPS), bought) },
    minimumSize: formatUnits(leastBaseVolume(terms, leastBought), traded.base.decimals),
    available: textOf(available, sold),
    problems,
  };
}
