import type { BalanceView, PricesView } from '../../messaging/views.ts';
import type { TokenFacts } from '../../operations/review.ts';
import { BIPS } from '../../protocol/limits.ts';
import { isSome } from './free.ts';

/** Milliseconds after which a price says its age, and no change of a day is told. */
export const OLD_MS = 15 * 60_000;

/**
 * From ten trillions on, in parts of 10^-30: the relayer's prices are wrong, and the number would
 * push the screen away.
 */
const MOST = 10n ** 43n;
/** Ten-thousandths from which on the same is true of a change. */
const MOST_CHANGE = 1_000_000n;

interface Worth {
  /** In parts of 10^-30 of the currency. */
  readonly now: bigint;
  /** At the prices of 24 hours before; `null` where they are not known. */
  readonly before: bigint | null;
}

/** Computes the value of an amount in base units, rounded down; `null` without a price. */
export function worthOf(volume: string, token: TokenFacts, prices: PricesView | null): Worth | null {
  const rate = prices?.rates.find(({ tokenId }) => tokenId === token.tokenId);
  if (rate === undefined || !/^\d+$/.test(volume)) return null;
  const at = (price: string) => (BigInt(volume) * BigInt(price)) / 10n ** BigInt(token.decimals);
  const now = at(rate.now);
  return now < MOST ? { now, before: rate.before === null ? null : at(rate.before) } : null;
}

export interface TotalWorth {
  /** `null` when nothing that is held has a price. */
  readonly now: bigint | null;
  /**
   * Ten-thousandths by which what is held rose in 24 hours; `null` where that is not known of all
   * that has a price.
   */
  readonly changeBips: number | null;
  /** Tokens that are held and have no price. */
  readonly without: number;
}

/** The sum of all balances that have a price. */
export function totalWorth(balances: readonly BalanceView[], prices: PricesView | null): TotalWorth {
  const held = balances.filter(({ total }) => isSome(total));
  const worths = held.map(({ total, token }) => worthOf(total, token, prices));
  const priced = worths.filter((worth) => worth !== null);
  const now = priced.reduce((sum, worth) => sum + worth.now, 0n);
  const before = priced.reduce<bigint | null>(
    (sum, worth) => (sum === null || worth.before === null ? null : sum + worth.before),
    0n,
  );
  const change = before === null || before === 0n ? MOST_CHANGE : ((now - before) * BIPS) / before;
  return {
    now: now < MOST && (priced.length > 0 || (held.length === 0 && prices !== null)) ? now : null,
    changeBips: change < MOST_CHANGE ? Number(change) : null,
    without: held.length - priced.length,
  };
}
