import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { candlestickAnswer, candlestickQuery } from '../marketData.ts';

/** Candles of an order book and its pool together, or of a pool alone. */
export const getMixCandlestick = endpoint({
  name: 'getMixCandlestick',
  method: 'GET',
  path: '/api/v3/mix/candlestick',
  summary: 'Candles of a market with its pool',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: candlestickQuery,
  body: () => z.undefined(),
  answer: candlestickAnswer,
});
