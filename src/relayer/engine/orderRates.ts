import { BIPS, MAX_FEE_BIPS } from '../../protocol/limits.ts';
import { Refusal } from '../errors.ts';
import type { Token } from './catalog.ts';
import { tradeCost } from './fees.ts';
import { tierOf } from './feeTiers.ts';
import { currentGasPrice } from './gasPrice.ts';
import type { OrderRates } from './orders/checkedOrder.ts';
import { ceilDiv } from './orders/fillMath.ts';
import type { Relayer } from './relayer.ts';

/** The highest rate that small orders pay: 0.6 %, in ten-thousandths. */
export const SMALL_ORDER_BIPS = 60;

/** Least amount whose fee at `bips` covers the trade cost; at a rate of 0 the trade cost itself. */
export function minAmountAt(cost: bigint, bips: number): bigint {
  return bips === 0 ? cost : ceilDiv(cost * BIPS, BigInt(bips));
}

/**
 * Least amount of an order that is taken: at 0.6 %, or at the account's own rate when that asks for
 * less.
 */
export function leastBought(cost: bigint, takerBips: number): bigint {
  const [own, small] = [minAmountAt(cost, takerBips), minAmountAt(cost, SMALL_ORDER_BIPS)];
  return own < small ? own : small;
}

/**
 * The rates at which an order is charged: the account's rates when its bought amount covers the
 * trade cost with them, otherwise the rate that does, up to 0.6 %.
 * @throws {Refusal} ORDER_TOO_SMALL when even 0.6 % does not, RATE_ILLEGAL when the signer allows
 *   less than the needed rate.
 */
export async function orderRates(
  relayer: Relayer,
  owner: string,
  bought: Token,
  amountB: bigint,
  maxFeeBips: number,
): Promise<OrderRates> {
  const { makerBips, takerBips } = tierOf(relayer, owner);
  const cost = tradeCost(relayer, (await currentGasPrice(relayer)).wei, bought);
  const least = leastBought(cost, takerBips);
  if (amountB < least)
    throw new Refusal(
      'ORDER_TOO_SMALL',
      `buyToken: at least ${least} base units of ${bought.symbol} cover the cost of a trade`,
    );
  const ownRateCovers = amountB >= minAmountAt(cost, takerBips);
  const own = Math.max(makerBips, takerBips);
  const needed = ownRateCovers ? own : Math.max(own, Number(ceilDiv(cost * BIPS, amountB)));
  if (maxFeeBips < needed)
    throw new Refusal(
      'RATE_ILLEGAL',
      `maxFeeBips: this order needs ${needed}, from ${MAX_FEE_BIPS} on any order is accepted`,
    );
  return ownRateCovers ? { makerBips, takerBips } : { makerBips: needed, takerBips: needed };
}
