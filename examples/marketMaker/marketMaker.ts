import { createWalletClient, custom, type EIP1193Provider } from 'viem';
import {
  createPush,
  createRelayerClient,
  type FollowedBook,
  followBook,
  type PushOptions,
} from '../../src/client/index.ts';
import {
  isFinalStatus,
  isRelayerMessage,
  LimitExceededError,
  OutcomeUnknownError,
  ParameterError,
  type RelayerActionError,
  type RelayerActions,
  RelayerRefusedError,
  RelayerUnavailableError,
  RequestExpiredError,
  relayerActions,
} from '../../src/viem/index.ts';
import { type Allowance, type Limits, openAllowance } from './allowance.ts';
import { inLanes } from './inLanes.ts';
import { type Market, type SideName, shows, slotsOf, tickOf, withoutOwn } from './market.ts';
import { createOwnOrders, type Ended, isWithdrawn, type Quote } from './ownOrders.ts';
import { adjust, middleOf, rests, type Strategy, wantedTicks } from './wantedQuotes.ts';

export interface MarketMakerOptions extends Strategy {
  /** The wallet's, as `discoverRelayerWallets` finds it. */
  readonly provider: EIP1193Provider;
  /** Of the relayer that the wallet's account is at, for the book. */
  readonly relayerUrl: string;
  /** `BASE-QUOTE` */
  readonly market: string;
  /**
   * The middle as long as others do not quote an order's worth on both sides, as decimal text.
   */
  readonly price: string;
  /** What the user is asked to allow; every order sells `orderVolume`. */
  readonly limits: Readonly<Record<SideName, Limits>>;
  /** Told of what went wrong and is tried again. */
  readonly onError?: (error: unknown) => void;
  /** ms without a book after which the quotes are taken back. */
  readonly blindMs?: number;
  /**
   * Seconds after which a quote expires and a new one takes its place: a wallet that locks signs no
   * cancellation, so its quotes stay open until then.
   */
  readonly quoteSeconds?: number;
  /** ms after which the own orders are read again even if the book shows all of them. */
  readonly checkMs?: number;
  /**
   * ms that a book may be late, ten seconds unless told. Until then one's own order that has ended
   * can hide other people's at its price, and no more than that.
   */
  readonly lateMs?: number;
  readonly openSocket?: PushOptions['openSocket'];
  readonly backOff?: PushOptions['backOff'];
}

export interface MarketMakerResult {
  /** `usedUp`: the standing approvals allow no more; `asked`: by `stop`. */
  readonly reason: 'usedUp' | 'asked';
  /** Every order that was placed, with its end. */
  readonly orders: readonly Ended[];
}

const SIDES = ['SELL', 'BUY'] as const;
/** A wallet has at most ten requests of a site at a time. */
const LANES = 8;
const PAUSE_MS = 2_000;
/** After a window that the user did not answer, so that they do not follow one another. */
const WINDOW_PAUSE_MS = 60_000;
/** An order that was just placed is in the book by then. */
const SOON_MS = 1_000;
const PREFIX = 'mm-';

/** What may be gone the next time. After the others nobody but the user can help. */
const isPassing = (error: unknown): boolean =>
  (error instanceof RelayerUnavailableError && error.reason === null) ||
  error instanceof RequestExpiredError ||
  error instanceof RelayerRefusedError ||
  error instanceof LimitExceededError ||
  isWithdrawn(error) ||
  // Another code says that the user or the wallet ended it.
  (error instanceof OutcomeUnknownError && (error.code === 4900 || error.code === -32603));

/** What is left of an order can be too little for anybody to take. */
const isWorthKeeping = ({ size, whole }: Quote): boolean => size * 10n >= whole;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function readMarket(relayer: RelayerActions, name: string): Promise<Market> {
  const [{ markets }, tokens] = await Promise.all([relayer.getMarkets(), relayer.getTokens()]);
  const found = markets.find(({ market }) => market === name);
  const token = (id: number | undefined) => tokens.find(({ tokenId }) => tokenId === id);
  const [base, quote] = [token(found?.baseTokenId), token(found?.quoteTokenId)];
  if (!base || !quote || found?.precisionForPrice === undefined) throw new Error(`the relayer has no market ${name}`);
  return { name, base, quote, digits: found.precisionForPrice };
}

/**
 * Quotes both sides of a market through the user's wallet, without holding a key: the user allows
 * it once, by a standing approval for each side, and the wallet signs what is within them.
 * @returns `done` resolves when it has ended and no order of its own is open. It rejects with why
 *   it had to end, such as a standing approval that the user stopped; a window has then asked the
 *   user to cancel what was open.
 * @throws {RelayerActionError} The user did not connect, or did not allow both sides; when only the
 *   second side is missing, the standing approval of the first is revoked.
 */
export async function startMarketMaker(options: MarketMakerOptions) {
  const { provider, relayerUrl, onError = () => {}, blindMs = 5_000, checkMs = 10_000 } = options;
  const { quoteSeconds = 600, lateMs = 10_000 } = options;
  const transport = custom(provider);
  const [account] = await createWalletClient({ transport }).requestAddresses();
  // Every call names it: the user may choose another account for the site meanwhile.
  const { relayer } = createWalletClient({ account, transport }).extend(relayerActions({ provider }));
  const market = await readMarket(relayer, options.market);
  const SELL = await openAllowance(relayer, 'SELL', market, options.limits.SELL);
  const BUY = await openAllowance(relayer, 'BUY', market, options.limits.BUY).catch(async (error: unknown) => {
    await relayer.revokeStandingApproval({ id: SELL.id }).catch(onError);
    throw error;
  });
  const allowances: Readonly<Record<SideName, Allowance>> = { SELL, BUY };
  const own = createOwnOrders({ relayer, market, allowances, prefix: PREFIX, quoteSeconds, lateMs });

  const client = createRelayerClient({ baseUrl: relayerUrl });
  let book: FollowedBook | undefined;
  let isBlind = false;
  let mustRead = true;
  let middle = tickOf(options.price, market);
  let pausedUntil = 0;
  let over = false;
  let round: Promise<void> | undefined;
  let again = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let blindTimer: ReturnType<typeof setTimeout> | undefined;
  let settle: { resolve(result: MarketMakerResult): void; reject(error: unknown): void };
  const done = new Promise<MarketMakerResult>((resolve, reject) => {
    settle = { resolve, reject };
  });

  const report = (errors: readonly unknown[]) => {
    for (const error of errors) {
      if (!isPassing(error)) throw error;
      onError(error);
    }
    if (errors.length > 0) pausedUntil = Date.now() + (errors.some(isWithdrawn) ? WINDOW_PAUSE_MS : PAUSE_MS);
  };

  const cancel = async (quotes: Iterable<Quote>) => {
    const errors: RelayerActionError[] = [];
    await inLanes(LANES, [...quotes], async (quote) => {
      await pause(allowances[quote.side].waitFor(0));
      const error = await own.cancel(quote);
      // What cannot be cancelled is mostly filled already: the relayer's list tells.
      if (error && error.code !== -32602) errors.push(error);
    });
    mustRead = true;
    report(errors);
  };

  /** @returns ms after which to look again although nothing happens. */
  const adjustQuotes = async (seen: FollowedBook): Promise<number> => {
    const others = withoutOwn(slotsOf(seen, market), own.shown());
    middle = middleOf(others, allowances.SELL.orderVolume, middle);
    const orders = Number((own.bought() * 100n) / allowances.SELL.orderVolume) / 100;
    const plan = SIDES.map((side) => {
      const quotes = [...own.open.values(), ...own.stillValid()].filter((quote) => quote.side === side);
      const plan = adjust(quotes.filter(isWorthKeeping), wantedTicks(side, middle, orders, options), options);
      const superfluous = [...plan.superfluous, ...quotes.filter((quote) => !isWorthKeeping(quote))];
      return {
        side,
        // Others cannot be cancelled. They may still be carried out, and keep their places.
        superfluous: superfluous.filter(({ id }) => own.open.get(id)?.hash),
        missing: plan.missing
          .filter((tick) => rests(side, tick, others))
          .slice(0, Math.max(0, options.levels - quotes.length)),
      };
    });
    const superfluous = plan.flatMap((one) => one.superfluous);
    if (superfluous.length > 0) {
      await cancel(superfluous);
      // Nothing new before it is known what became of the old: both might be filled.
      again = true;
      return SOON_MS;
    }
    if (Date.now() < pausedUntil) return pausedUntil - Date.now();
    let wait = checkMs;
    const missing = plan.flatMap(({ side, missing }) => missing.map((tick) => ({ side, tick })));
    const errors: RelayerActionError[] = [];
    await inLanes(LANES, missing, async ({ side, tick }) => {
      if (over || book === undefined || errors.length > 0 || !allowances[side].covers(tick)) return;
      const later = allowances[side].waitFor(2 * options.levels);
      wait = Math.min(wait, later || wait);
      if (later > 0) return;
      wait = Math.min(wait, SOON_MS);
      const error = await own.place(side, tick);
      if (error) errors.push(error);
    });
    report(errors);
    return wait;
  };

  const look = async (): Promise<void> => {
    clearTimeout(timer);
    let wait = checkMs;
    try {
      const seen = book && slotsOf(book, market);
      if (mustRead || !seen || !shows(seen, own.slots(Date.now() - SOON_MS))) {
        const before = book;
        mustRead = false;
        await own.read();
        // A connection can be dead long before it is known to be.
        if (seen && book === before && !shows(seen, own.listed())) goBlind();
      }
      if (over) return;
      if (isBlind && own.open.size > 0) {
        await cancel(own.open.values());
        wait = SOON_MS;
      } else if (book) wait = await adjustQuotes(book);
      const isUsedUp = SIDES.every((side) => allowances[side].isUsedUp());
      if (isUsedUp && own.open.size === 0) end({ reason: 'usedUp' });
    } catch (error) {
      mustRead = true;
      wait = PAUSE_MS;
      if (isPassing(error)) onError(error);
      else end({ error });
    }
    if (over) return;
    timer = setTimeout(() => {
      // Others may have filled up a slot at once, so that the book shows no change.
      if (wait === checkMs) mustRead = true;
      wake();
    }, wait);
  };

  /** One look at a time; what happens meanwhile makes another one. */
  const wake = () => {
    if (over) return;
    if (round) {
      again = true;
      return;
    }
    again = false;
    round = look().finally(() => {
      round = undefined;
      if (again) wake();
    });
  };

  /** No orders without a book. A short break leaves the quotes where they are. */
  const goBlind = () => {
    book = undefined;
    clearTimeout(blindTimer);
    blindTimer = setTimeout(() => {
      isBlind = true;
      wake();
    }, blindMs);
  };
  // The first book may never come, and quotes of an earlier run are open.
  goBlind();

  const push = createPush({
    client,
    baseUrl: relayerUrl,
    ...(options.openSocket && { openSocket: options.openSocket }),
    ...(options.backOff && { backOff: options.backOff }),
    connected: (isConnected) => {
      if (!isConnected && book) goBlind();
    },
  });
  const unfollow = followBook({
    push,
    client,
    market: market.name,
    onBook: (read) => {
      clearTimeout(blindTimer);
      isBlind = false;
      book = read;
      wake();
    },
    onError,
  });

  const onMessage = (message: { readonly type: string; readonly data: unknown }) => {
    if (!isRelayerMessage(message)) return;
    const isOurs =
      message.type === 'relayer_standingApproval' && SIDES.some((side) => allowances[side].id === message.data.id);
    if (isOurs) end({ error: new Error(`a standing approval has ended: ${message.data.reason}`) });
    if (message.type !== 'relayer_status' || !isFinalStatus(message.data.status)) return;
    mustRead = true;
    wake();
  };
  provider.on('message', onMessage);

  /** Asks the user to cancel all orders. @returns The hashes of those that are. */
  const cancelByUser = async (): Promise<readonly string[]> => {
    try {
      const { orders } = await relayer.cancelAllOrders();
      return orders.flatMap(({ orderHash, cancelled }) => (cancelled ? orderHash : []));
    } catch (error) {
      // None is open that this wallet has signed.
      if (error instanceof ParameterError) return [];
      throw error;
    }
  };

  const revoke = async () => {
    for (const side of SIDES)
      await relayer.revokeStandingApproval({ id: allowances[side].id }).catch((error: unknown) => {
        // It has ended already.
        if (!(error instanceof ParameterError)) throw error;
      });
  };

  /**
   * Cancels what is open and waits until nothing is.
   * @param isAllowed - Without a window. Else a window asks the user for up to ten of them, and
   *   again for the others, such as one that the relayer could not cancel or that reached it later.
   * @throws {RelayerActionError} Only the user can help.
   */
  const close = async (isAllowed: boolean) => {
    if (!isAllowed) await revoke().catch(onError);
    const cancelled = new Set<string | undefined>();
    let isAsked = false;
    for (;;) {
      try {
        if (!isAllowed && !isAsked) {
          isAsked = true;
          for (const hash of await cancelByUser()) cancelled.add(hash);
        }
        await own.read();
        if (own.open.size === 0) break;
        if (isAllowed) await cancel(own.open.values());
        else isAsked = [...own.open.values()].every(({ hash }) => cancelled.has(hash));
      } catch (error) {
        if (!isPassing(error)) throw error;
        onError(error);
      }
      await pause(SOON_MS);
    }
    if (isAllowed) await revoke();
  };

  const end = ({ reason, error }: { reason?: MarketMakerResult['reason']; error?: unknown }) => {
    if (over) return;
    over = true;
    provider.removeListener('message', onMessage);
    unfollow();
    push.close();
    clearTimeout(timer);
    clearTimeout(blindTimer);
    void Promise.resolve(round)
      .then(() => close(reason !== undefined))
      .then(() => (reason ? settle.resolve({ reason, orders: [...own.ended.values()] }) : settle.reject(error)))
      .catch(settle.reject);
  };

  return {
    done,
    /** Cancels all quotes, gives the standing approvals back, and ends. */
    stop(): Promise<MarketMakerResult> {
      end({ reason: 'asked' });
      return done;
    },
    /** Quotes that are open now, by hash where they have one. */
    quotes: (): readonly Quote[] => [...own.open.values()],
  };
}
