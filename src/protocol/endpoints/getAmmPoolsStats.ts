import { z } from 'zod';
import { deferred } from '../deferred.ts';
import { endpoint } from '../endpoint.ts';
import { decimalText } from '../fields.ts';
import { queryMarketList } from '../marketData.ts';
import { tokenVolumeV3Answer } from '../resources.ts';

const pair = (what: string) => z.array(decimalText).describe(`${what}: base and quote`);

/** A pool in numbers. */
const poolStats = deferred(() =>
  z.looseObject({
    market: z.string().describe('AMM-BASE-QUOTE'),
    liquidity: pair('What the pool holds'),
    lpLiquidity: decimalText.describe('LP tokens in existence'),
    liquidityUSD: z.string().describe("Value of what the pool holds in US dollars, at the operator's prices"),
    ohlc: z.array(z.string()).describe('Open, high, low, close of 24 hours; empty without a trade'),
    volume: pair('Traded in 24 hours'),
    fees: pair('Fees of 24 hours'),
    apyBips: decimalText.describe('A year of such fees, in ten-thousandths of what the pool holds'),
    apysBips: z.array(decimalText).describe('Its parts: own rewards, events, fees'),
    isRecommended: z.boolean().describe('Whether the operator recommends the pool'),
    rewards: z.array(tokenVolumeV3Answer).describe('Rewards besides fees'),
  }),
);

/** Pools in numbers. */
export const getAmmPoolsStats = endpoint({
  name: 'getAmmPoolsStats',
  method: 'GET',
  path: '/api/v3/amm/poolsStats',
  summary: 'Liquidity, volume and yield of pools',
  apiKey: 'none',
  signature: 'none',
  requestsPerSecond: 5,
  resend: 'repeat',
  errorCodes: ['UNKNOWN_ERROR', 'INVALID_ARGUMENT'],
  query: () =>
    z.strictObject({ ammPoolMarkets: queryMarketList.optional().describe('AMM-BASE-QUOTE, …; all pools when absent') }),
  body: () => z.undefined(),
  answer: () => z.array(poolStats),
});
