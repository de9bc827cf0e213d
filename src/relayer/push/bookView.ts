import { scaledText } from '../../protocol/scaledText.ts';
import type { Depth } from '../engine/marketData/depth.ts';
import { describeSlot, type Slot } from '../engine/marketData/slots.ts';

type Side = ReadonlyMap<string, string[]>;

interface Told {
  readonly version: number;
  readonly bids: Side;
  readonly asks: Side;
}

/**
 * Knowledge of the subscribers of one book, and the slots that they have to be told. Slots are told
 * as they are, not as what was added: one that is gone, or that is not among the best any more, has
 * the size 0.
 */
export class BookView {
  readonly #count: number;
  readonly #whole: boolean;
  #told: Told;

  /** @param whole - Whether each message has the whole top of the book. */
  constructor(depth: Depth, count: number, whole: boolean) {
    this.#count = count;
    this.#whole = whole;
    this.#told = this.#of(depth);
  }

  #of({ version, precision, bids, asks }: Depth): Told {
    const side = (slots: readonly Slot[]): Side =>
      new Map(
        slots.slice(0, this.#count).map((slot) => [scaledText(slot.tick, precision), describeSlot(precision, slot)]),
      );
    return { version, bids: side(bids), asks: side(asks) };
  }

  /** The whole book as it was told last. */
  whole(): object {
    const { version, bids, asks } = this.#told;
    return {
      startVersion: version,
      endVersion: version,
      data: { bids: [...bids.values()], asks: [...asks.values()] },
    };
  }

  /**
   * Builds the next notification from the present book; none when the visible slots are the same.
   */
  next(depth: Depth): readonly object[] {
    const before = this.#told;
    const now = this.#of(depth);
    const bids = changes(before.bids, now.bids);
    const asks = changes(before.asks, now.asks);
    if (bids.length === 0 && asks.length === 0) return [];
    this.#told = now;
    // Versions in which nothing was to be seen belong to the message: a client counts without a
    // gap.
    const startVersion = before.version + 1;
    return this.#whole
      ? [{ ...this.whole(), startVersion }]
      : [{ startVersion, endVersion: now.version, data: { bids, asks } }];
  }
}

function changes(before: Side, now: Side): string[][] {
  const changed = [...now].filter(([price, slot]) => before.get(price)?.join() !== slot.join()).map(([, slot]) => slot);
  const gone = [...before.keys()].filter((price) => !now.has(price)).map((price) => [price, '0', '0', '0']);
  return [...changed, ...gone];
}
