import { scaledText } from '../../../protocol/scaledText.ts';

/** Orders at one price. */
export interface Slot {
  /** The price in the finest steps of the market. */
  readonly tick: bigint;
  readonly size: bigint;
  readonly volume: bigint;
  readonly orders: number;
}

/** Joins the slots of book and pool that have the same price. */
export function mergeSlots(
  book: readonly Slot[],
  ladder: readonly Slot[],
  order: (a: bigint, b: bigint) => number,
): Slot[] {
  const merged = new Map<bigint, Slot>();
  for (const slot of [...book, ...ladder]) {
    const known = merged.get(slot.tick);
    merged.set(
      slot.tick,
      known
        ? {
            tick: slot.tick,
            size: known.size + slot.size,
            volume: known.volume + slot.volume,
            orders: known.orders + slot.orders,
          }
        : slot,
    );
  }
  return [...merged.values()].sort((a, b) => order(a.tick, b.tick));
}

/** A slot as a row of texts: price, size, volume, number of orders. */
export const describeSlot = (precision: number, { tick, size, volume, orders }: Slot): string[] => [
  scaledText(tick, precision),
  size.toString(),
  volume.toString(),
  String(orders),
];
