import { doc } from '../doc.ts';
import { endpoint } from '../endpoint.ts';
import { candlestickAnswer, candlestickQuery } from '../marketData.ts';
import { z } from '../zod.ts';

/** Candles of an order book and its pool together, or of a pool alone. */
export const getMixCandlestick = endpoint({
  name: 'getMixCandlestick',
  method: 'GET',
  path: '/api/v3/mix/candlestick',
  summary: doc?.('Candles of a market with its pool'),
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: candlestickQuery,
  body: () => z.undefined(),
  answer: candlestickAnswer,
});
