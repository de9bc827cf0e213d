import { type PushTopicInput, scaledText } from '../protocol/index.ts';
import { PRICE_DIGITS, scaledPrice } from '../protocol/scaledPrice.ts';
import type { RelayerClient } from './createRelayerClient.ts';
import type { Push } from './push.ts';

type BookSlot = readonly [price: string, size: string, volume: string, orders: string];

export interface FollowedBook {
  readonly version: number;
  /** Both best first. */
  readonly bids: readonly BookSlot[];
  readonly asks: readonly BookSlot[];
}

export interface FollowBookOptions {
  readonly push: Pick<Push, 'subscribe'>;
  readonly client: Pick<RelayerClient, 'getDepth'>;
  /** `BASE-QUOTE` */
  readonly market: string;
  readonly onBook: (book: FollowedBook) => void;
  /** The book cannot be read now (it is tried again), or the relayer refuses it. */
  readonly onError?: (error: unknown) => void;
  /** ms until a book that could not be read is tried again. */
  readonly retryMs?: number;
}

/** The finest aggregation of prices. */
const LEVEL = 0;
/** Slots on each side, at most. */
export const BOOK_SLOTS = 50;
/** @throws {SyntaxError} The text is no price. */
function priceIn(text: string): bigint {
  const price = scaledPrice(text);
  if (price === undefined) throw new SyntaxError(`${text.slice(0, 120)} is no price`);
  return price;
}

/**
 * Sorts a side and writes its prices as plain decimals; what has no size or no orders is left out.
 */
function readSide(slots: readonly (readonly string[])[], sign: 1 | -1): BookSlot[] {
  return slots
    .map(([price = '', ...rest]) => [priceIn(price), rest] as const)
    .filter(([, [size, , orders]]) => Number(size) > 0 && !(Number(orders) <= 0))
    .sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0))
    .map(([price, rest]) => [scaledText(price, PRICE_DIGITS), ...rest] as unknown as BookSlot);
}

/**
 * Keeps a book. The relayer tells the whole book with each change, so that no message depends on
 * the one before; it is read by REST after each beginning, because not every relayer tells it then.
 * @returns What ends it.
 */
export function followBook(options: FollowBookOptions): () => void {
  const { push, client, market, onBook, onError = () => {}, retryMs = 2_000 } = options;
  const topic: PushTopicInput = { topic: 'orderbook', market, level: LEVEL, count: BOOK_SLOTS, snapshot: true };
  /** Of the book that was shown last. */
  let version = -1;
  /** The read whose answer counts: none that was begun before a break. */
  let reading: symbol | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** @returns Whether it was not of an older version. */
  const show = (next: number, book: unknown): boolean => {
    if (!Number.isSafeInteger(next)) throw new SyntaxError('a book without a version');
    if (next <= version) return false;
    const { bids, asks } = book as Record<'bids' | 'asks', readonly (readonly string[])[]>;
    const read = { version: next, bids: readSide(bids, -1), asks: readSide(asks, 1) };
    version = next;
    onBook(read);
    return true;
  };

  const failed = (error: unknown) => {
    clearTimeout(timer);
    timer = setTimeout(read, retryMs);
    onError(error);
  };

  const read = async (): Promise<void> => {
    const mine = Symbol('read');
    reading = mine;
    clearTimeout(timer);
    try {
      const depth = await client.getDepth({ query: { market, level: LEVEL, limit: BOOK_SLOTS } });
      if (reading === mine) show(Number(depth.version), depth);
    } catch (error) {
      if (reading === mine) failed(error);
    }
  };

  const stop = push.subscribe(topic, {
    began: () => {
      version = -1;
      void read();
    },
    told: ({ endVersion = Number.NaN, data }) => {
      try {
        if (!show(endVersion, data)) return;
        // A book read by REST may have come and gone between two messages: none would correct it.
        reading = undefined;
        clearTimeout(timer);
      } catch (error) {
        failed(error);
      }
    },
    refused: (error) => {
      reading = undefined;
      clearTimeout(timer);
      onError(error);
    },
  });
  return () => {
    reading = undefined;
    clearTimeout(timer);
    stop();
  };
}
