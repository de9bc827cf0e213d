import { chargedKinds } from '../../protocol/endpoints/getFeeInfo.ts';
import { quoteFee } from '../engine/fees.ts';
import { tiersOf } from '../engine/feeTiers.ts';
import type { Route } from '../server/route.ts';

export const getFeeInfo: Route<'getFeeInfo'> = {
  handle: async ({ relayer }) => {
    const { catalog } = relayer;
    const book = Object.fromEntries(
      tiersOf(relayer).map(({ name, makerBips, takerBips }) => [
        name,
        { symbol: name, makerRate: makerBips, takerRate: takerBips },
      ]),
    );
    const coin = catalog.token(0);
    const other = coin
      ? await Promise.all(
          Object.entries(chargedKinds).map(
            async ([kind, type]) => [kind, (await quoteFee(relayer, type, coin)).toString()] as const,
          ),
        )
      : [];
    return {
      ORDERBOOK_TRADING_FEES_STABLECOIN: book,
      ORDERBOOK_TRADING_FEES: book,
      AMM_TRADING_FEES: {
        default: {
          symbol: 'default',
          makerRate: 0,
          takerRate: Math.max(0, ...catalog.pools.map(({ feeBips }) => feeBips)),
        },
      },
      OTHER_FEES: Object.fromEntries(other),
    };
  },
};
