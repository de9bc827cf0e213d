import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { candlestickAnswer, candlestickQuery } from '../marketData.ts';
import { z } from '../zod.ts';

/** Candles of an order book. */
export const getCandlestick = endpoint({
  name: 'getCandlestick',
  method: 'GET',
  path: '/api/v3/candlestick',
  summary: doc?.('Candles of an order book'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: candlestickQuery,
  body: () => z.undefined(),
  answer: candlestickAnswer,
});
