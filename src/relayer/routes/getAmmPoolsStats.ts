import { splitList } from '../../protocol/fields.ts';
import { describePoolStats } from '../engine/marketData/poolStats.ts';
import { needSelection } from '../engine/marketData/selection.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getAmmPoolsStats: Route<'getAmmPoolsStats'> = {
  handle: async ({ relayer, query }) => {
    const { pools, isStanding } = relayer.catalog;
    const listed = pools.filter(isStanding).map(({ market }) => market);
    const names = query.ammPoolMarkets === undefined ? listed : splitList(query.ammPoolMarkets);
    if (names.length > listed.length)
      throw new Refusal('INVALID_ARGUMENT', 'ammPoolMarkets: names more pools than there are');
    const selections = names.map((name) => needSelection(relayer, name, true));
    const book = selections.find((selection) => selection.book);
    if (book) throw new Refusal('INVALID_ARGUMENT', `ammPoolMarkets: ${book.name} is no pool; pools are named AMM-…`);
    return Promise.all(selections.map((selection) => describePoolStats(relayer, selection)));
  },
};
