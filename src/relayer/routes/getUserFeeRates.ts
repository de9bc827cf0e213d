import { splitList } from '../../protocol/fields.ts';
import { tierOf } from '../engine/feeTiers.ts';
import { findSelection } from '../engine/marketData/selection.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getUserFeeRates: Route<'getUserFeeRates'> = {
  handle: async ({ relayer, query, account }) => {
    const { makerBips, takerBips } = tierOf(relayer, account.owner);
    return splitList(query.markets).map((name) => {
      const selection = findSelection(relayer, name, false);
      if (!selection) throw new Refusal('MARKET_UNSUPPORTED', `markets: there is no market ${name}`);
      return { symbol: selection.name, makerRate: makerBips, takerRate: takerBips };
    });
  },
};
