import { BOOK_SLOTS, type FollowedBook } from '../../src/client/index.ts';

export type SideName = 'SELL' | 'BUY';

/** A market, and how its amounts and prices are counted. */
export interface Market {
  /** `BASE-QUOTE` */
  readonly name: string;
  readonly base: { readonly tokenId: number; readonly decimals: number };
  readonly quote: { readonly tokenId: number; readonly decimals: number };
  /** Digits of a price after the point. */
  readonly digits: number;
}

/**
 * A price as a number of the smallest steps that the market knows, so that prices are compared
 * without rounding.
 */
export function tickOf(price: string, { digits }: Market): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

/**
 * What an order buys that sells `volume` at a tick, in base units and rounded down: less than one
 * unit is given away.
 */
export function boughtAt(side: SideName, volume: bigint, tick: bigint, { base, quote, digits }: Market): bigint {
  const quotes = tick * 10n ** BigInt(quote.decimals);
  const bases = 10n ** BigInt(digits + base.decimals);
  return side === 'SELL' ? (volume * quotes) / bases : (volume * bases) / quotes;
}

/** The tick at which the book lists an order: never better than the order is. */
export function tickThatBookHas(side: SideName, baseVolume: bigint, quoteVolume: bigint, market: Market): bigint {
  const { base, quote, digits } = market;
  const steps = quoteVolume * 10n ** BigInt(digits + base.decimals);
  const unit = baseVolume * 10n ** BigInt(quote.decimals);
  return side === 'SELL' ? (steps + unit - 1n) / unit : steps / unit;
}

/** What the book holds by tick, in base units. */
export interface Slots {
  readonly SELL: ReadonlyMap<bigint, bigint>;
  readonly BUY: ReadonlyMap<bigint, bigint>;
}

export function slotsOf({ asks, bids }: FollowedBook, market: Market): Slots {
  const side = (slots: FollowedBook['asks']) =>
    new Map(slots.map(([price, size]) => [tickOf(price, market), BigInt(size)]));
  return { SELL: side(asks), BUY: side(bids) };
}

/** A book less what is one's own. */
export function withoutOwn(slots: Slots, own: Slots): Slots {
  const side = (name: SideName) =>
    new Map(
      [...slots[name]]
        .map(([tick, size]) => [tick, size - (own[name].get(tick) ?? 0n)] as const)
        .filter(([, size]) => size > 0n),
    );
  return { SELL: side('SELL'), BUY: side('BUY') };
}

/** Whether a book shows all that is in `own`, as far down as it goes. */
export const shows = (slots: Slots, own: Slots): boolean =>
  (['SELL', 'BUY'] as const).every((name) => {
    const last = slots[name].size < BOOK_SLOTS ? undefined : [...slots[name].keys()].at(-1);
    const isBelow = (tick: bigint) => last !== undefined && (name === 'SELL' ? tick > last : tick < last);
    return [...own[name]].every(([tick, size]) => isBelow(tick) || (slots[name].get(tick) ?? 0n) >= size);
  });
