import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { candlestickAnswer, candlestickQuery } from '../marketData.ts';

export const getCandlestick = readEndpoint({
  path: '/api/v3/candlestick',
  summary: doc?.('Candles of an order book, newest first'),
  apiKey: 'none',
  query: candlestickQuery,
  answer: candlestickAnswer,
});
