import type { Hex } from 'viem';
import {
  isFinalStatus,
  type Order,
  OutcomeUnknownError,
  RejectedError,
  type RelayerActionError,
  type RelayerActions,
  RelayerRefusedError,
} from '../../src/viem/index.ts';
import type { Allowance } from './allowance.ts';
import { boughtAt, type Market, type SideName, type Slots, tickThatBookHas } from './market.ts';

/** An order that is open, or may be. */
export interface Quote {
  /** The `clientOrderId`: the order is known by it even when nobody has told its hash. */
  readonly id: string;
  readonly side: SideName;
  readonly tick: bigint;
  /** What the book holds of it, in base units. */
  readonly size: bigint;
  /** What it was made for. */
  readonly whole: bigint;
  /** Unix ms of this page's clock. */
  readonly placedAt: number;
  /** Once the relayer has answered. */
  readonly hash?: Hex;
  /** Instead of the hash, when the relayer has not answered what was signed. */
  readonly requestId?: string;
}

/** How an order ended. */
export interface Ended {
  readonly id: string;
  readonly side: SideName;
  readonly hash: Hex | null;
  /**
   * `processed`, `cancelled`, `expired`, `failed`; `refused` by the relayer; `not-sent`: nothing
   * was signed.
   */
  readonly status: string;
}

/** ms to wait for the user, who can be away: nothing is cancelled meanwhile. */
const PATIENCE_MS = 10_000;
const PAGE = 50;
const PAGES = 4;
const openStatuses = ['processing', 'waiting', 'cancelling'] as const;

/** It waited for the user and was taken back; nothing was signed. */
export const isWithdrawn = (error: unknown): boolean => error instanceof RejectedError && error.withdrawn;

function slotsOfQuotes(quotes: readonly Quote[]): Slots {
  const slots = { SELL: new Map<bigint, bigint>(), BUY: new Map<bigint, bigint>() };
  for (const { side, tick, size } of quotes) slots[side].set(tick, (slots[side].get(tick) ?? 0n) + size);
  return slots;
}

interface Options {
  readonly relayer: RelayerActions;
  readonly market: Market;
  readonly allowances: Readonly<Record<SideName, Allowance>>;
  /** Begins the `clientOrderId` of each order: by it orders are found again after a reload. */
  readonly prefix: string;
  /** How long an order stays open at most: nothing can cancel it while the wallet is locked. */
  readonly quoteSeconds: number;
  /** How late a book may be. */
  readonly lateMs: number;
}

/**
 * The market maker's own orders. What became of an order is what the relayer's list says of it, and
 * nothing else.
 */
export function createOwnOrders({ relayer, market, allowances, prefix, quoteSeconds, lateMs }: Options) {
  const open = new Map<string, Quote>();
  const ended = new Map<string, Ended>();
  /** Orders that ended just now, and when this page learnt it. */
  let gone: { readonly quote: Quote; readonly at: number }[] = [];
  /** Orders that have ended, and may be carried out until then (Unix seconds). */
  const valid = new Map<string, { readonly quote: Quote; readonly validUntil: number }>();
  /** Base units by order, as far as it is filled. */
  const filled = new Map<string, bigint>();
  /** Answers to cancellations, by order, until `cancel` has returned them. */
  const cancelling = new Map<string, Promise<RelayerActionError | undefined>>();
  const run = Date.now().toString(36);
  let number = 0;
  /** Whether every quote that an earlier run left open has been found. */
  let isTakenOver = false;

  /** @param validUntil - Until when it can still be carried out, Unix seconds. */
  const end = (
    { id, side, hash = null }: Pick<Quote, 'id' | 'side'> & { hash?: Hex | null },
    status: string,
    validUntil?: number | null,
  ) => {
    const quote = open.get(id);
    if (quote) gone.push({ quote, at: Date.now() });
    if (quote && validUntil) valid.set(id, { quote, validUntil });
    open.delete(id);
    ended.set(id, { id, side, hash, status });
  };

  const take = ({ clientOrderId: id, hash, side, status, volumes }: Order) => {
    const known = ended.get(id);
    const isOpen = openStatuses.some((one) => one === status);
    // Of an earlier run: what is still open is taken over, the rest is history.
    if (!isOpen && !open.has(id) && !known) return;
    // These are the relayer's word, and it can change its mind.
    if (known && !['refused', 'failed', 'expired'].includes(known.status)) return;
    const base = BigInt(volumes.baseAmount);
    const quote = BigInt(volumes.quoteAmount);
    valid.delete(id);
    filled.set(id, BigInt(volumes.baseFilled) * (side === 'SELL' ? -1n : 1n));
    if (!isOpen) {
      end({ id, side, hash }, status);
      return;
    }
    ended.delete(id);
    const size =
      side === 'SELL' ? base - BigInt(volumes.baseFilled) : ((quote - BigInt(volumes.quoteFilled)) * base) / quote;
    const placedAt = open.get(id)?.placedAt ?? 0;
    open.set(id, { id, side, hash, size, whole: base, placedAt, tick: tickThatBookHas(side, base, quote, market) });
  };

  const takeOwn = (orders: readonly Order[]) => {
    const own = orders.filter(({ clientOrderId }) => clientOrderId.startsWith(prefix));
    for (const order of own) take(order);
    return own;
  };

  /** Takes over what an earlier run left open, however many orders have ended since. */
  const takeOver = async () => {
    let unwatch = () => {};
    const orders = new Promise<readonly Order[]>((onOrders, onError) => {
      unwatch = relayer.watchOrders({ market: market.name, onOrders, onError });
    });
    takeOwn(await orders.finally(() => unwatch()));
    isTakenOver = true;
  };

  const find = async (quote: Quote) => {
    if (!quote.requestId) {
      if (quote.hash) take(await relayer.getOrder({ orderHash: quote.hash }));
      return;
    }
    // The wallet finds out what the relayer does not tell, such as that it never had the order.
    const { status, hash, validUntil } = await relayer.getRequest({ requestId: quote.requestId });
    if (isFinalStatus(status)) end({ ...quote, hash }, status, validUntil);
    else if (hash) open.set(quote.id, { ...quote, hash });
    if (hash && status === 'acknowledged') take(await relayer.getOrder({ orderHash: hash }));
  };

  return {
    open: open as ReadonlyMap<string, Quote>,
    ended: ended as ReadonlyMap<string, Ended>,

    /** Base units that were bought more than sold. */
    bought: () => [...filled.values()].reduce((sum, one) => sum + one, 0n),

    /** Those that have ended and can still be carried out, which must not be placed anew. */
    stillValid(): readonly Quote[] {
      const now = Date.now() / 1000;
      return [...valid.values()].flatMap(({ quote, validUntil }) => (validUntil > now ? quote : []));
    },

    /** What the book should hold of those that were placed by then. */
    slots: (latest: number): Slots => slotsOfQuotes([...open.values()].filter(({ placedAt }) => placedAt <= latest)),

    /** What it holds of those that the relayer has, unless it is late. */
    listed: (): Slots =>
      slotsOfQuotes([...open.values()].filter(({ hash, placedAt }) => hash && placedAt < Date.now() - lateMs)),

    /**
     * What the book may show of them: a book that is on its way still has the orders that ended
     * just now, and a market maker that takes those for other people's follows its own prices.
     */
    shown(): Slots {
      gone = gone.filter(({ at }) => at > Date.now() - lateMs);
      return slotsOfQuotes([...open.values(), ...gone.map(({ quote }) => quote)]);
    },

    /** Asks the relayer what became of them. @throws {RelayerActionError} */
    async read(): Promise<void> {
      if (!isTakenOver) await takeOver();
      const lost = new Map([...open].filter(([, { hash, requestId }]) => hash ?? requestId));
      for (let page = 0; page < PAGES; page++) {
        const { orders } = await relayer.getOrders({ market: market.name, limit: PAGE, offset: page * PAGE });
        for (const { clientOrderId } of takeOwn(orders)) lost.delete(clientOrderId);
        if (lost.size === 0 || orders.length < PAGE) break;
      }
      for (const quote of lost.values()) await find(quote);
    },

    /** Places one. @returns Why it is not open, if it is not, or nobody knows. */
    async place(side: SideName, tick: bigint): Promise<RelayerActionError | undefined> {
      number += 1;
      const id = `${prefix}${run}-${number}`;
      const volume = allowances[side].orderVolume;
      const bought = boughtAt(side, volume, tick, market);
      const validUntil = Math.min(Math.floor(Date.now() / 1000) + quoteSeconds, allowances[side].validUntil);
      const [sold, other] = side === 'SELL' ? [market.base, market.quote] : [market.quote, market.base];
      const size = side === 'SELL' ? volume : bought;
      const quote: Quote = { id, side, tick, size, whole: size, placedAt: Date.now() };
      const answered = allowances[side].count(volume);
      open.set(id, quote);
      const asked = relayer.submitOrder({
        sellToken: { tokenId: sold.tokenId, volume },
        buyToken: { tokenId: other.tokenId, volume: bought },
        // Never trades with what rests already, and only with other people's orders.
        orderType: 'MAKER_ONLY',
        tradeChannel: 'ORDER_BOOK',
        validUntil,
        clientOrderId: id,
        idempotencyKey: id,
      });
      // What is being signed cannot be taken back, and has its answer soon.
      const timer = setInterval(() => void relayer.withdrawRequest({ requestId: id }).catch(() => {}), PATIENCE_MS);
      try {
        const { hash } = await asked;
        answered(true);
        open.set(id, { ...quote, hash, placedAt: Date.now() });
        return undefined;
      } catch (error) {
        const failure = error as RelayerActionError;
        answered(!isWithdrawn(failure));
        if (failure instanceof OutcomeUnknownError) open.set(id, { ...quote, requestId: failure.requestId });
        else if (failure.outcome === 'unknown') open.set(id, { ...quote, requestId: id });
        else end(quote, failure.outcome, failure instanceof RelayerRefusedError ? failure.validUntil : null);
        return failure;
      } finally {
        clearInterval(timer);
      }
    },

    /**
     * Cancels one; `read` tells if it was filled before. A window that asks the user stays open,
     * and the next call waits for the same answer.
     * @returns Why it may still be open; `undefined` also while the user is asked.
     */
    async cancel({ id, side, hash }: Quote): Promise<RelayerActionError | undefined> {
      if (!hash || !open.has(id)) return undefined;
      const ask = () => {
        const answered = allowances[side].count();
        return relayer
          .cancelOrder({ orderHash: hash })
          .then(
            () => undefined,
            (error: RelayerActionError) => error,
          )
          .finally(() => answered(true));
      };
      const answer = cancelling.get(id) ?? ask();
      cancelling.set(id, answer);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS);
      });
      const isAnswered = await Promise.race([answer.then(() => true), patience]);
      clearTimeout(timer);
      if (!isAnswered) return undefined;
      cancelling.delete(id);
      return answer;
    },
  };
}
