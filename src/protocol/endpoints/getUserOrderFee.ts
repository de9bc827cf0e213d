import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { amountText, decimalText, queryAccountId, queryTokenId } from '../fields.ts';
import { queryMarket } from '../marketData.ts';
import { z } from '../zod.ts';
import { marketRates } from './getUserFeeRates.ts';

export const getUserOrderFee = readEndpoint({
  path: '/api/v3/user/orderFee',
  summary: doc?.('Rates that an order pays for the amount bought'),
  errorCodes: doc?.(['TOKEN_UNSUPPORTED', 'MARKET_UNSUPPORTED', 'ORDER_TOO_SMALL', 'GAS_PRICE_UNAVAILABLE']),
  query: () =>
    z.strictObject({
      accountId: queryAccountId(),
      market: queryMarket(),
      tokenB: described(queryTokenId(), doc?.('Token bought')),
      amountB: described(amountText(), doc?.('Amount bought, base units')),
    }),
  answer: () =>
    z.looseObject({
      feeRate: described(marketRates(), doc?.('Fees of maker and taker')),
      gasPrice: described(decimalText(), doc?.('Gas price behind it, wei')),
    }),
});
