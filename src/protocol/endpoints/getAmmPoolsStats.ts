import { described } from '../described.ts';
import { doc } from '../doc.ts';
import { readEndpoint } from '../endpoint.ts';
import { decimalText } from '../fields.ts';
import { queryMarketList } from '../marketData.ts';
import { once } from '../once.ts';
import { tokenVolumeV3Answer } from '../resources.ts';
import { z } from '../zod.ts';

const pair = (what: string) => described(z.array(decimalText()), doc?.(`${what}: base and quote`));

/** A pool in numbers. */
const poolStats = once(() =>
  z.looseObject({
    market: described(z.string(), doc?.('AMM-BASE-QUOTE')),
    liquidity: pair('Holdings of the pool'),
    lpLiquidity: described(decimalText(), doc?.('LP tokens in existence')),
    liquidityUSD: described(z.string(), doc?.("Value of what the pool holds in US dollars, at the operator's prices")),
    ohlc: described(z.array(z.string()), doc?.('Open, high, low, close of 24 hours; empty without a trade')),
    volume: pair('Traded in 24 hours'),
    fees: pair('Fees of 24 hours'),
    apyBips: described(decimalText(), doc?.('A year of such fees, in ten-thousandths of what the pool holds')),
    apysBips: described(z.array(decimalText()), doc?.('Its parts: own rewards, events, fees')),
    isRecommended: described(z.boolean(), doc?.('Whether the operator recommends the pool')),
    rewards: described(z.array(tokenVolumeV3Answer()), doc?.('Rewards besides fees')),
  }),
);

/** Pools in numbers. The answer is a bare list; some relayers wrap it in `data`. */
export const getAmmPoolsStats = readEndpoint({
  path: '/api/v3/amm/poolsStats',
  summary: doc?.('Liquidity, volume and yield of pools'),
  apiKey: 'none',
  query: () =>
    z.strictObject({
      ammPoolMarkets: described(z.optional(queryMarketList()), doc?.('AMM-BASE-QUOTE, …; all pools when absent')),
    }),
  answer: () =>
    z.pipe(
      z.transform((answer: unknown) => (Array.isArray(answer) ? answer : (answer as { data?: unknown } | null)?.data)),
      z.array(poolStats()),
    ),
});
