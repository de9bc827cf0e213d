import type { RelayerActions, RequestStandingApprovalParameters, StandingApproval } from '../../src/viem/index.ts';
import { type Market, type SideName, tickOf } from './market.ts';

/**
 * Signatures are counted a little longer than the wallet does, whose clock reads them a little
 * later.
 */
const LONGER_MS = 500;

/** What the user is asked for on one side. */
export type Limits = LimitsOf<RequestStandingApprovalParameters>;
type LimitsOf<Asked> = Asked extends unknown ? Omit<Asked, 'sellTokenId' | 'buyTokenId' | 'operations'> : never;

/**
 * What is left of a standing approval, counted as the wallet counts: what goes beyond it would open
 * a window.
 */
export interface Allowance {
  readonly id: string;
  /** Base units of the token sold; of each order. */
  readonly orderVolume: bigint;
  /** Its end, Unix seconds; an order that ends later is beyond it. */
  readonly validUntil: number;
  /** Whether an order at this tick is within the limits that time does not change. */
  covers(tick: bigint): boolean;
  /** Whether it allows no further order. */
  isUsedUp(): boolean;
  /** Milliseconds until one more signature is within the rate; some are kept for cancellations. */
  waitFor(kept: number): number;
  /**
   * Counts an order (or, without a volume, a cancellation).
   * @returns What is called when the wallet has answered, with whether it may have signed.
   */
  count(volume?: bigint): (isSigned: boolean) => void;
}

/** What it still allows to sell, base units. */
const leftOf = (terms: StandingApproval): bigint => BigInt(terms.totalVolume) - BigInt(terms.soldVolume);

/**
 * Takes the standing approval of a side that is in force, such as before the page was reloaded, if
 * it allows no more than the limits; else asks the user for one. Others that the site has for this
 * side are revoked.
 * @throws {RelayerActionError} `RejectedError`, …
 */
export async function openAllowance(
  relayer: RelayerActions,
  side: SideName,
  market: Market,
  limits: Limits,
): Promise<Allowance> {
  const [sellTokenId, buyTokenId] =
    side === 'SELL' ? [market.base.tokenId, market.quote.tokenId] : [market.quote.tokenId, market.base.tokenId];
  const isUsable = (one: StandingApproval) =>
    Number(one.minPrice ?? 0) >= Number(limits.minPrice ?? 0) &&
    Number(one.maxPrice ?? Infinity) <= Number(limits.maxPrice ?? Infinity) &&
    BigInt(one.orderVolume) <= BigInt(limits.orderVolume) &&
    leftOf(one) <= BigInt(limits.totalVolume) &&
    leftOf(one) >= BigInt(one.orderVolume) &&
    one.rate.requests <= limits.rate.requests &&
    one.rate.seconds >= limits.rate.seconds &&
    one.validUntil <= limits.validUntil;
  const inForce = (await relayer.getStandingApprovals()).filter(
    (one) => one.sellTokenId === sellTokenId && one.buyTokenId === buyTokenId && one.operations.length === 2,
  );
  let terms = inForce.find(isUsable);
  for (const one of inForce) if (one !== terms) await relayer.revokeStandingApproval({ id: one.id });
  if (!terms) {
    const { id } = await relayer.requestStandingApproval({ ...limits, sellTokenId, buyTokenId });
    // The user may have made the limits tighter.
    terms = (await relayer.getStandingApprovals()).find((one) => one.id === id);
  }
  if (!terms) throw new Error(`no standing approval to ${side === 'SELL' ? 'sell' : 'buy'} ${market.name}`);
  return allowanceOf(terms, market);
}

function allowanceOf(terms: StandingApproval, market: Market): Allowance {
  const { id, minPrice, maxPrice, rate, validUntil } = terms;
  const orderVolume = BigInt(terms.orderVolume);
  let left = leftOf(terms);
  /** When each signature leaves the window; those of before are of unknown age. */
  let ends: { at: number }[] = Array.from({ length: terms.recent }, () => ({ at: Date.now() + rate.seconds * 1_000 }));
  return {
    id,
    orderVolume,
    validUntil,
    covers: (tick) =>
      left >= orderVolume &&
      (minPrice === undefined || tick > tickOf(minPrice, market)) &&
      (maxPrice === undefined || tick < tickOf(maxPrice, market)),
    isUsedUp: () => left < orderVolume,
    waitFor(kept) {
      const now = Date.now();
      ends = ends.filter(({ at }) => at > now);
      const over = ends.length - (rate.requests - kept);
      return over < 0 ? 0 : Math.min(LONGER_MS + now, ...ends.map(({ at }) => at)) - now;
    },
    count(volume = 0n) {
      left -= volume;
      const signature = { at: Number.POSITIVE_INFINITY };
      ends.push(signature);
      return (isSigned) => {
        if (!isSigned) left += volume;
        signature.at = Date.now() + rate.seconds * 1_000 + LONGER_MS;
      };
    },
  };
}
