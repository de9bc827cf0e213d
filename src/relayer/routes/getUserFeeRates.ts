import { splitList } from '../../protocol/fields.ts';
import { tierOf } from '../engine/feeTiers.ts';
import { findSelection } from '../engine/marketData/selection.ts';
import { Refusal } from '../errors.ts';
import { keyAccount, type Route } from '../server/route.ts';

export const getUserFeeRates: Route<'getUserFeeRates'> = {
  handle: async (call) => {
    const { relayer, query } = call;
    const { makerBips, takerBips } = tierOf(relayer, keyAccount(call).owner);
    return splitList(query.markets).map((name) => {
      const selection = findSelection(relayer, name, false);
      if (!selection) throw new Refusal('MARKET_UNSUPPORTED', `markets: there is no market ${name}`);
      return { symbol: selection.name, makerRate: makerBips, takerRate: takerBips };
    });
  },
};
