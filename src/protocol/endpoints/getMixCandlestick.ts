import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { candlestickAnswer, candlestickQuery } from '../marketData.ts';

export const getMixCandlestick = readEndpoint({
  path: '/api/v3/mix/candlestick',
  summary: doc?.('Candles of a market with the trades of its pool, or of the pool alone, newest first'),
  apiKey: 'none',
  query: candlestickQuery,
  answer: candlestickAnswer,
});
