import { orderAmountsOf } from '../engine/catalog.ts';
import { tradeCost } from '../engine/fees.ts';
import { tierOf } from '../engine/feeTiers.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import { findSelection } from '../engine/marketData/selection.ts';
import { leastBought, minAmountAt, SMALL_ORDER_BIPS } from '../engine/orderRates.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getOrderUserRateAmount: Route<'getOrderUserRateAmount'> = {
  handle: async ({ relayer, query, account }) => {
    const market = findSelection(relayer, query.market, false)?.market;
    if (!market?.enabled) throw new Refusal('MARKET_UNSUPPORTED', `market ${query.market} is not traded`);
    const { wei, cacheOverdueAt } = await currentGasPrice(relayer);
    const { makerBips, takerBips } = tierOf(relayer, account.owner);
    const usual = relayer.config.takerBips;
    return {
      gasPrice: wei.toString(),
      amounts: [market.base, market.quote].map((token) => {
        const cost = tradeCost(relayer, wei, token);
        return {
          tokenSymbol: token.symbol,
          discount: usual === 0 ? 1 : takerBips / usual,
          baseOrderInfo: {
            minAmount: leastBought(cost, takerBips).toString(),
            makerRate: SMALL_ORDER_BIPS,
            takerRate: SMALL_ORDER_BIPS,
          },
          userOrderInfo: {
            minAmount: minAmountAt(cost, takerBips).toString(),
            makerRate: makerBips,
            takerRate: takerBips,
          },
          marketOrderInfo: orderAmountsOf(token),
          tradeCost: cost.toString(),
        };
      }),
      cacheOverdueAt,
    };
  },
};
