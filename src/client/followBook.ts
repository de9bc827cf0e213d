import type { PushTopicInput } from '../protocol/index.ts';
import type { RelayerClient } from './createRelayerClient.ts';
import type { Push, PushNotification } from './push.ts';

type BookSlot = readonly [price: string, size: string, volume: string, orders: string];

export interface FollowedBook {
  readonly version: number;
  /** Both best first. */
  readonly bids: readonly BookSlot[];
  readonly asks: readonly BookSlot[];
}

export interface FollowBookOptions {
  readonly push: Pick<Push, 'subscribe'>;
  readonly client: Pick<RelayerClient, 'getDepth' | 'getMixDepth'>;
  /** `BASE-QUOTE` */
  readonly market: string;
  /** With what the pool offers. */
  readonly mixed?: boolean;
  /** Aggregation of prices; 0, the finest, when absent. */
  readonly level?: number;
  /** Slots on each side; 50 when absent. */
  readonly count?: number;
  readonly onBook: (book: FollowedBook) => void;
  /** The book cannot be read now (it is tried again), or the relayer refuses it. */
  readonly onError?: (error: unknown) => void;
  /** ms until a book that could not be read is tried again. */
  readonly retryMs?: number;
}

/** Compares decimal texts without rounding them. */
function comparePrices(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  const digits = Math.max(fractionA.length, fractionB.length);
  const difference = BigInt(wholeA + fractionA.padEnd(digits, '0')) - BigInt(wholeB + fractionB.padEnd(digits, '0'));
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/**
 * Keeps a book: reads it by REST, applies what the relayer tells since, and reads it again when a
 * message is missing or the connection was lost.
 * @returns What ends it.
 */
export function followBook(options: FollowBookOptions): () => void {
  const {
    push,
    client,
    market,
    mixed = false,
    level = 0,
    count = 50,
    onBook,
    onError = () => {},
    retryMs = 2_000,
  } = options;
  const topic: PushTopicInput = { topic: mixed ? 'mixorder' : 'orderbook', market, level, count };
  let version: number | undefined;
  let sides = { bids: new Map<string, BookSlot>(), asks: new Map<string, BookSlot>() };
  /** Notifications that came while the book was being read. */
  let waiting: PushNotification[] = [];
  let reading = false;
  /** The connection was lost under the read: what changed until it came back is in no message. */
  let isStale = false;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = () => {
    const sorted = (side: ReadonlyMap<string, BookSlot>, sign: 1 | -1) =>
      [...side.values()].sort((a, b) => sign * comparePrices(a[0], b[0]));
    onBook({ version: version as number, bids: sorted(sides.bids, -1), asks: sorted(sides.asks, 1) });
  };

  /** @returns Whether something is missing before the message. */
  const apply = ({ startVersion = 0, endVersion = 0, data }: PushNotification): boolean => {
    if (version === undefined || !(endVersion > version)) return false;
    if (startVersion > version + 1) return true;
    const changed = data as { readonly bids: readonly BookSlot[]; readonly asks: readonly BookSlot[] };
    for (const name of ['bids', 'asks'] as const)
      for (const slot of changed[name])
        if (Number(slot[1]) === 0 || Number(slot[3]) <= 0) sides[name].delete(slot[0]);
        else sides[name].set(slot[0], slot);
    version = endVersion;
    return false;
  };

  const read = async (): Promise<void> => {
    if (reading || over) return;
    reading = true;
    isStale = false;
    clearTimeout(timer);
    try {
      const query = { market, level, limit: count };
      const depth = await (mixed ? client.getMixDepth({ query }) : client.getDepth({ query }));
      if (over) return;
      const side = (slots: readonly (readonly string[])[]) =>
        new Map(slots.map((slot) => [slot[0] as string, slot as unknown as BookSlot]));
      sides = { bids: side(depth.bids), asks: side(depth.asks) };
      version = Number(depth.version);
      const isMissing = waiting.splice(0).some(apply);
      reading = false;
      if (isMissing || isStale) return await read();
      show();
    } catch (error) {
      reading = false;
      if (over) return;
      onError(error);
      timer = setTimeout(read, retryMs);
    }
  };

  const stop = push.subscribe(topic, {
    began: () => {
      waiting = [];
      version = undefined;
      isStale = reading;
      void read();
    },
    told: (message) => {
      if (reading || version === undefined) {
        waiting.push(message);
        return;
      }
      const before = version;
      if (apply(message)) void read();
      else if (version !== before) show();
    },
    refused: onError,
  });
  return () => {
    over = true;
    clearTimeout(timer);
    stop();
  };
}
