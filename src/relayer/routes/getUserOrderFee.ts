import { MAX_FEE_BIPS } from '../../protocol/limits.ts';
import { currentGasPrice } from '../engine/gasPrice.ts';
import { findSelection } from '../engine/marketData/selection.ts';
import { orderRates } from '../engine/orderRates.ts';
import { Refusal } from '../errors.ts';
import type { Route } from '../server/route.ts';

export const getUserOrderFee: Route<'getUserOrderFee'> = {
  handle: async ({ relayer, query, account }) => {
    const selection = findSelection(relayer, query.market, false);
    if (!selection) throw new Refusal('MARKET_UNSUPPORTED', `market: there is no market ${query.market}`);
    const { base, quote } = selection.market;
    const bought = [base, quote].find(({ tokenId }) => tokenId === query.tokenB);
    if (!bought) throw new Refusal('TOKEN_UNSUPPORTED', `tokenB: ${query.tokenB} is not a token of ${selection.name}`);
    const amount = BigInt(query.amountB);
    if (amount === 0n) throw new Refusal('ORDER_TOO_SMALL', 'amountB: is zero');
    const { makerBips, takerBips } = await orderRates(relayer, account.owner, bought, amount, MAX_FEE_BIPS);
    return {
      feeRate: { symbol: selection.name, makerRate: makerBips, takerRate: takerBips },
      gasPrice: (await currentGasPrice(relayer)).wei.toString(),
    };
  },
};
