import type { EndpointAnswer } from '../../../protocol/endpointTable.ts';
import { BIPS } from '../../../protocol/limits.ts';
import { readPool } from '../pools/poolState.ts';
import type { Relayer } from '../relayer.ts';
import { dayBegan, sumCandles } from './candles.ts';
import { candlePriceText } from './prices.ts';
import type { Selection } from './selection.ts';
import { microText, microValue } from './tokenPrices.ts';

const DAYS_OF_A_YEAR = 365n;

/** A pool in the numbers of the last 24 hours. */
export async function describePoolStats(
  relayer: Relayer,
  selection: Selection,
): Promise<EndpointAnswer<'getAmmPoolsStats'>[number]> {
  const { market } = selection;
  const pool = relayer.catalog.poolOf(market.base.tokenId, market.quote.tokenId);
  if (!pool) throw new Error(`${selection.name} has no pool`);
  const [{ reserves, supply }, day] = await Promise.all([
    readPool(relayer.histories, pool),
    sumCandles(relayer.histories, selection, dayBegan(relayer.clock.now())),
  ]);
  // The pool of a pair that was turned around holds its tokens in the other order.
  const [base, quote] =
    pool.tokens[0].tokenId === market.base.tokenId ? reserves : ([reserves[1], reserves[0]] as const);
  const fees = [day?.pool_base_fee ?? 0n, day?.pool_quote_fee ?? 0n] as const;
  // Both sides of a pool are worth the same at its price.
  const apy =
    base === 0n || quote === 0n
      ? 0n
      : ((fees[1] * base + fees[0] * quote) * DAYS_OF_A_YEAR * BIPS) / (2n * quote * base);
  return {
    market: selection.name,
    liquidity: [base.toString(), quote.toString()],
    lpLiquidity: supply.toString(),
    liquidityUSD: microText(microValue(market.base, base) + microValue(market.quote, quote)),
    ohlc: day ? [day.open, day.high, day.low, day.close].map((price) => candlePriceText(market, price)) : [],
    volume: [(day?.base_volume ?? 0n).toString(), (day?.quote_volume ?? 0n).toString()],
    fees: fees.map(String),
    apyBips: apy.toString(),
    apysBips: ['0', '0', apy.toString()],
    isRecommended: false,
    rewards: [],
  };
}
