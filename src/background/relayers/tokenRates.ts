import { legalCurrencies } from '../../messaging/legalCurrencies.ts';
import type { TokenFacts } from '../../operations/review.ts';
import { PRICE_DIGITS, scaledPrice } from '../../protocol/scaledPrice.ts';

/** Rates are integers in parts of 10^-30. */
const DIGITS = 30;
const ONE = 10n ** BigInt(DIGITS);
/** Above it no price of a token is one. */
const MOST = ONE * 10n ** 12n;
/** Times that the markets are gone through: rates reach over two of them, whatever their order. */
const ROUNDS = 2;

/** @returns `null` for what is no price above zero. */
export function rateOf(price: string | number): bigint | null {
  const rate = (scaledPrice(String(price)) ?? 0n) / 10n ** BigInt(PRICE_DIGITS - DIGITS);
  return rate > 0n && rate < MOST ? rate : null;
}

/** A market's price at the beginning and at the end of the last 24 hours: quote for one base. */
export interface MarketMove {
  readonly baseTokenId: number;
  readonly quoteTokenId: number;
  readonly open: bigint;
  readonly close: bigint;
}

export interface TokenRate {
  readonly now: bigint;
  /** 24 hours before. */
  readonly before: bigint | null;
}

interface Sources {
  /** A legal currency, or the symbol of a token. */
  readonly currency: string;
  readonly tokens: readonly TokenFacts[];
  /** By the id of the token, in the currency or, where that is a token, in any other. */
  readonly listed: ReadonlyMap<number, bigint>;
  readonly moves: readonly MarketMove[];
}

/**
 * A token that is worth one of the currency, give or take a hundredth, is held to have been worth
 * as much the day before.
 */
const isAtPar = (rate: bigint): boolean => rate > (ONE * 99n) / 100n && rate < (ONE * 101n) / 100n;

/**
 * Values of whole tokens in the currency: by the relayer's list first, else over its markets; the
 * day before always by its markets, as share of today's, because its list has no yesterday.
 */
export function tokenRates({ currency, tokens, listed, moves }: Sources): ReadonlyMap<number, TokenRate> {
  const rates = new Map<number, TokenRate>();
  const isLegal = legalCurrencies.includes(currency);
  const own = isLegal ? undefined : tokens.find(({ symbol }) => symbol === currency);
  const unit = own === undefined ? (isLegal ? ONE : undefined) : listed.get(own.tokenId);
  for (const [tokenId, rate] of unit === undefined ? [] : listed) {
    const now = (rate * ONE) / (unit ?? ONE);
    if (now > 0n) rates.set(tokenId, { now, before: isLegal && isAtPar(now) ? now : null });
  }
  if (own !== undefined) rates.set(own.tokenId, { now: ONE, before: ONE });

  /**
   * Over one market, whose price in this direction is `now / than` and was `before / thanBefore`.
   */
  function carry(from: number, to: number, [now, than]: Fraction, [before, thanBefore]: Fraction): void {
    const [known, there] = [rates.get(from), rates.get(to)];
    if (known === undefined || (there !== undefined && there.before !== null)) return;
    const worth = there?.now ?? (known.now * now) / than;
    if (worth === 0n || worth >= MOST) return;
    const was = known.before && (worth * known.before * before * than) / (known.now * thanBefore * now);
    if (there === undefined || was !== null) rates.set(to, { now: worth, before: was });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { baseTokenId, quoteTokenId, open, close } of moves) {
      carry(quoteTokenId, baseTokenId, [close, ONE], [open, ONE]);
      carry(baseTokenId, quoteTokenId, [ONE, close], [ONE, open]);
    }
  }
  return rates;
}

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Amounts that a pool holds for a number of LP tokens, in base units. */
interface Pool {
  readonly pooled: readonly { readonly tokenId: number; readonly volume: string }[];
  readonly lp: { readonly tokenId: number; readonly volume: string };
}

/** Digits of the root by which the worth of a share moved. */
const ROOT_DIGITS = 1e9;

/**
 * Values of whole LP tokens: their part of what the pool holds. A pool that nobody joins or leaves
 * keeps the product of its amounts, so the worth of a share moved by the geometric mean of the
 * moves of its tokens.
 */
export function shareRates(
  pools: readonly Pool[],
  tokens: readonly TokenFacts[],
  rates: ReadonlyMap<number, TokenRate>,
): ReadonlyMap<number, TokenRate> {
  const unitOf = (tokenId: number) => 10n ** BigInt(tokens.find((token) => token.tokenId === tokenId)?.decimals ?? 0);
  const shares = new Map<number, TokenRate>();
  for (const { pooled, lp } of pools) {
    const parts = pooled.flatMap(({ tokenId, volume }) => {
      const rate = rates.get(tokenId);
      return rate ? [{ ...rate, worth: (BigInt(volume) * rate.now) / unitOf(tokenId) }] : [];
    });
    const supply = BigInt(lp.volume);
    const isListed = tokens.some(({ tokenId }) => tokenId === lp.tokenId);
    if (supply === 0n || !isListed || parts.length !== 2 || pooled.length !== 2) continue;
    const now = (parts.reduce((sum, { worth }) => sum + worth, 0n) * unitOf(lp.tokenId)) / supply;
    if (now === 0n || now >= MOST) continue;
    const moved = parts.reduce((product, { now, before }) => product * (Number(before ?? 0n) / Number(now)), 1);
    const root = Math.round(Math.sqrt(moved) * ROOT_DIGITS);
    const isKnown = Number.isSafeInteger(root) && root > 0;
    shares.set(lp.tokenId, { now, before: isKnown ? (now * BigInt(root)) / BigInt(ROOT_DIGITS) : null });
  }
  return shares;
}
