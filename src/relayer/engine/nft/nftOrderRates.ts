import { BIPS, MAX_FEE_BIPS } from '../../../protocol/limits.ts';
import { Refusal } from '../../errors.ts';
import type { Token } from '../catalog.ts';
import { tradeCost } from '../fees.ts';
import { nftBipsOf } from '../feeTiers.ts';
import { currentGasPrice } from '../gasPrice.ts';
import { minAmountAt } from '../orderRates.ts';
import type { Relayer } from '../relayer.ts';

/** Numbers of the rules for NFT orders, in one quote token. */
export interface NftOrderLimits {
  /** ten-thousandths */
  readonly feeRate: number;
  /** Least amount whose fee at `feeRate` covers the trade cost. */
  readonly minAmount: bigint;
  readonly tradeCost: bigint;
}

export function nftOrderLimits(
  relayer: Relayer,
  gasPriceWei: bigint,
  quote: Token,
  tokenAddress: string,
): NftOrderLimits {
  const feeRate = nftBipsOf(relayer, tokenAddress);
  const cost = tradeCost(relayer, gasPriceWei, quote);
  return { feeRate, minAmount: minAmountAt(cost, feeRate), tradeCost: cost };
}

/**
 * The rate of one order: the usual one, or the least at which the fee of a small order exceeds the
 * trade cost, up to the most of any order.
 */
export function nftRateFor(limits: NftOrderLimits, amount: bigint): number {
  if (amount >= limits.minAmount) return limits.feeRate;
  if (amount === 0n) return MAX_FEE_BIPS;
  const needed = Number((limits.tradeCost * BIPS) / amount) + 1;
  return Math.max(limits.feeRate, Math.min(needed, MAX_FEE_BIPS));
}

/**
 * The three rules of a valid NFT order: (1) `maxFeeBips >= feeRate` and `amount >= minAmount`, or
 * (2) for a smaller amount `amount · maxFeeBips > tradeCost` (the rate as a fraction), and (3) the
 * amount within the market's limits.
 * @returns The least rate of the order, ten-thousandths.
 * @throws {Refusal} RATE_ILLEGAL, ORDER_TOO_SMALL or ORDER_TOO_LARGE.
 */
export async function nftOrderRate(
  relayer: Relayer,
  tokenAddress: string,
  quote: Token,
  amount: bigint,
  maxFeeBips: number,
): Promise<number> {
  const limits = nftOrderLimits(relayer, (await currentGasPrice(relayer)).wei, quote, tokenAddress);
  if (amount < quote.minimum)
    throw new Refusal('ORDER_TOO_SMALL', `the least amount is ${quote.minimum} of ${quote.symbol}`);
  if (amount > quote.maximum)
    throw new Refusal('ORDER_TOO_LARGE', `the largest amount is ${quote.maximum} of ${quote.symbol}`);
  if (maxFeeBips < limits.feeRate) throw new Refusal('RATE_ILLEGAL', `maxFeeBips: the fee rate is ${limits.feeRate}`);
  if (amount < limits.minAmount && amount * BigInt(maxFeeBips) <= limits.tradeCost * BIPS)
    throw new Refusal(
      'ORDER_TOO_SMALL',
      `amount · maxFeeBips does not exceed the trade cost of ${limits.tradeCost}; from ${limits.minAmount} on the rate suffices`,
    );
  return nftRateFor(limits, amount);
}
