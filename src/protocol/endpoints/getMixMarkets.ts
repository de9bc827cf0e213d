import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { z } from '../zod.ts';
import { marketInfo } from './getMarkets.ts';

export const getMixMarkets = readEndpoint({
  path: '/api/v3/mix/markets',
  summary: doc?.('Markets with an order book or a pool'),
  apiKey: 'none',
  answer: () => z.looseObject({ markets: described(z.array(marketInfo()), doc?.('Trading pairs')) }),
});
