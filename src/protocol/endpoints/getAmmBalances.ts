import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { z } from '../zod.ts';
import { ammBalance } from './getAmmBalance.ts';

export const getAmmBalances = readEndpoint({
  path: '/api/v3/amm/balances',
  summary: doc?.('Tokens inside all pools'),
  apiKey: 'none',
  answer: () => z.array(ammBalance()),
});
