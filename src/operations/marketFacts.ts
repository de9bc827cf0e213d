import type { Facts } from './operation.ts';
import { price } from './price.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import type { AmountLimits } from './warnings.ts';

/** Seconds for which an answer about prices or minima is good enough to be shown. */
const MAX_AGE_SECONDS = 30;
const BIPS = 10_000n;

/** What the relayer's pool and minima say about an order. Each part is absent where it cannot be had; none is signed. */
export interface MarketFacts {
  /** Amounts in the pool of the two tokens, base units. */
  readonly pool?: { readonly sell: string; readonly buy: string };
  readonly limits?: AmountLimits;
}

interface Side {
  readonly token: TokenFacts;
  readonly volume: string;
}

async function poolOf(sell: TokenFacts, buy: TokenFacts, facts: Facts): Promise<MarketFacts['pool']> {
  const pools = (await facts.recent('getAmmBalances', {}, MAX_AGE_SECONDS)) ?? [];
  for (const { pooled } of pools) {
    const held = (token: TokenFacts) => pooled.find(({ tokenId }) => tokenId === token.tokenId)?.volume;
    const [sold, bought] = [held(sell), held(buy)];
    if (sold && bought && sold !== '0' && bought !== '0') return { sell: sold, buy: bought };
  }
  return undefined;
}

async function limitsOf(market: string, { token, volume }: Side, facts: Facts): Promise<AmountLimits | undefined> {
  const { accountId } = facts.account;
  const rates = await facts.recent('getOrderUserRateAmount', { query: { accountId, market } }, MAX_AGE_SECONDS);
  const row = rates?.amounts?.find(({ tokenSymbol }) => tokenSymbol === token.symbol);
  if (!rates || !row) return undefined;
  const least = row.baseOrderInfo?.minAmount;
  const usual = row.userOrderInfo?.minAmount;
  return {
    amount: volume,
    ...(least === undefined ? {} : { least }),
    ...(usual === undefined ? {} : { usual }),
    ...(rates.cacheOverdueAt === undefined ? {} : { overdueAt: rates.cacheOverdueAt }),
  };
}

/** Reads both, side by side; the minima are those of the bought amount, from which the fee is taken. */
export async function marketFacts(market: string, sell: Side, buy: Side, facts: Facts): Promise<MarketFacts> {
  const [pool, limits] = await Promise.all([poolOf(sell.token, buy.token, facts), limitsOf(market, buy, facts)]);
  return { ...(pool ? { pool } : {}), ...(limits ? { limits } : {}) };
}

/** Ten-thousandths by which the order gets less than the pool's price gives; negative when it asks for more. */
export function lossAgainstPool(pool: { sell: string; buy: string }, sell: string, buy: string): number {
  const fair = BigInt(sell) * BigInt(pool.buy);
  return Number(((fair - BigInt(buy) * BigInt(pool.sell)) * BIPS) / fair);
}

/** The pool's price in the same direction, with the distance of the order's. */
export function poolPriceRow(
  pool: { sell: string; buy: string },
  loss: number,
  sellIsQuote: boolean,
  sell: TokenFacts,
  buy: TokenFacts,
): ReviewRow {
  const [quote, base] = sellIsQuote ? [sell, buy] : [buy, sell];
  const [quoteAmount, baseAmount] = sellIsQuote ? [pool.sell, pool.buy] : [pool.buy, pool.sell];
  return {
    label: { key: 'review_poolPrice' },
    value: price(BigInt(quoteAmount), BigInt(baseAmount), quote, base),
    note: {
      key: loss > 0 ? 'review_priceWorse' : 'review_priceBetter',
      values: { distance: { kind: 'bips', bips: Math.abs(loss) } },
    },
  };
}

/** The two least amounts of the interface document. */
export const limitRows = ({ least, usual }: AmountLimits, token: TokenFacts): ReviewRow[] =>
  usual === undefined || least === undefined
    ? []
    : [
        {
          label: { key: 'review_leastAmount' },
          value: { kind: 'amount', volume: usual, token },
          note: {
            key: 'review_leastAmountNote',
            values: { amount: { kind: 'amount', volume: least, token } },
          },
        },
      ];
