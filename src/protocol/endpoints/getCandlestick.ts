import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { candlestickAnswer, candlestickQuery } from '../marketData.ts';

/** Candles of an order book. */
export const getCandlestick = endpoint({
  name: 'getCandlestick',
  method: 'GET',
  path: '/api/v3/candlestick',
  summary: 'Candles of an order book',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: candlestickQuery,
  body: () => z.undefined(),
  answer: candlestickAnswer,
});
