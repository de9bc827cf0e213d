import { isSchemaNewer } from '../db/migrate.ts';
import { isDatabaseTrouble, mayPass, type Sql } from '../db/port.ts';
import { Refusal } from '../errors.ts';
import { forgetAccountChanges } from '../push/accountChanges.ts';
import { lockAccounts } from './accounts.ts';
import { BalanceFull } from './balances.ts';
import { moveBlocks, OpenBlock } from './blocks.ts';
import type { Catalog } from './catalog.ts';
import { type DueWork, dueWork, EVERYTHING } from './dueWork.ts';
import { leadEngines, lockEngine } from './engineLock.ts';
import { endFastWithdrawals } from './fastWithdrawals.ts';
import { InjectedFault } from './faults.ts';
import { moveL1 } from './l1Work.ts';
import { Book } from './orders/book.ts';
import { buildBooks, followPools, takeOutClosed } from './orders/bookLevels.ts';
import { expiredBy, UNMATCHED } from './orders/dueOrders.ts';
import { matchOrder, restingOrdersReachedBy } from './orders/matchOrder.ts';
import { BOOK_ORDER, type BookOrder, closeOrder, lockOpenOrder, type OrderRow } from './orders/orderRow.ts';
import { restOrders } from './orders/restOrders.ts';
import { Settlement } from './orders/settlement.ts';
import type { Relayer } from './relayer.ts';
import { failRequest, type RequestRow } from './requestRow.ts';
import { SettlementFailure } from './settle/settlementFailure.ts';
import { settleRequest } from './settle/settleRequest.ts';

/**
 * Moves everything that was accepted: expires and matches orders, settles requests, fills and seals
 * blocks. One engine works at a time on a database, by an advisory lock that lives as long as each
 * transaction; the others leave. Submissions that are settled at once wait for a second lock, in
 * one queue with that engine.
 */
export interface Engine {
  /**
   * Works until nothing is left. `seal` closes the open block whatever its size and age, and leaves
   * what comes meanwhile once everything has been taken up that waited when it was asked for.
   */
  run(options?: { readonly seal?: boolean }): Promise<void>;
  /** Asks for a run soon; many calls become one. */
  wake(): void;
  start(): void;
  stop(): Promise<void>;
  /** ms since a step succeeded; `undefined` when no timer moves this engine. */
  sinceProgress(): number | undefined;
}

/** Items in one transaction; submitters of the touched accounts wait that long at most. */
const BATCH = 20;
/**
 * New orders and fills in one transaction of matching, which happens in memory and is written at
 * once.
 */
const MATCHES = 100;
const FILLS = 500;
/**
 * From the end of a run that found work, or another engine at it, to the next one that is asked
 * for: under load, a run for every commit would cost more than what it does.
 */
const PAUSE_MS = 20;
/**
 * How long a round by timer takes requests and orders up: whatever arrives, blocks, expiry and the
 * L1 chain have their turn then.
 */
const ROUND_MS = 1_000;
/**
 * From one try of a request that waits, or of a market, to the next one, and how many of these
 * requests a step tries beside the others.
 */
const RETRY_MS = 60_000;
const RETRIES = 5;
/**
 * From one comparison of the pools with the orders that rest for them to the next, while new orders
 * keep coming: it takes a millisecond for each pool.
 */
const POOLS_MS = 500;
/** Pause between two cleanings of what pushes have told. */
const FORGET_MS = 10_000;

export function createEngine(relayer: Relayer): Engine {
  const { db, clock, log, metrics, config } = relayer;
  let timer: NodeJS.Timeout | undefined;
  let l1Running: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  /** This run has found work, or another engine at it. */
  let isAtWork = false;
  /** When the last such run ended. */
  let worked = 0;
  let asked = false;
  let stopped = false;
  let byHand = false;
  let isOutdated = false;

  /**
   * One transaction under the engine's lock; `false` when nothing was done. When the engine of
   * another process works, a run by timer leaves the work to it, one by hand waits.
   */
  const step = async (work: (tx: Sql) => Promise<boolean>): Promise<boolean> => {
    const done = await locked(work).catch((error) => {
      if (byHand || !mayPass(error)) throw error;
      log.error({ err: error }, 'a step of the engine failed for now; the other steps go on');
      return undefined;
    });
    if (done === undefined) return false;
    progress = performance.now();
    if (done) {
      isAtWork = true;
      relayer.committed();
    }
    return done;
  };
  let progress = performance.now();

  /** The catalog whose books are made: nothing is matched or written into a book before. */
  let built: Catalog | undefined;

  const locked = async (work: (tx: Sql) => Promise<boolean>): Promise<boolean> => {
    let catalog: Catalog | undefined;
    const done = await db.transaction(async (tx) => {
      catalog = undefined;
      if (byHand) {
        await lockEngine(tx);
      } else if (!(await leadEngines(tx))) {
        isAtWork = true;
        return false;
      }
      // What fails only because this version does not know the tables any more would end as a
      // failed order or request.
      if (await isSchemaNewer(tx)) {
        if (!isOutdated) log.warn('a newer version changed the database: this engine leaves the work to it');
        isOutdated = true;
        return false;
      }
      // What is listed changes under this lock, before the first order that needs it is accepted.
      await relayer.readCatalog(tx);
      catalog = relayer.catalog;
      if (catalog !== built) await buildBooks(tx, catalog.markets, clock.now());
      const done = await work(tx);
      if (done || catalog !== built) await followPools(tx, catalog, clock.now());
      return done;
    }, 'engine');
    // Known to be there once they are committed.
    built = catalog ?? built;
    return done;
  };

  /**
   * Runs `item` so that its failure undoes only itself. Its locks are gone when `onFailure` begins,
   * and others may have changed what it read. What might succeed later (`mayPass`) is followed by
   * nothing in this transaction: its locks are held meanwhile.
   */
  const guarded = async (
    tx: Sql,
    block: OpenBlock | undefined,
    item: () => Promise<void>,
    onFailure: (error: unknown) => Promise<void>,
  ) => {
    const size = block?.size ?? 0;
    await tx.query('SAVEPOINT item');
    try {
      await item();
      await tx.query('RELEASE SAVEPOINT item');
    } catch (error) {
      // Trouble of the database is not the item's fault: the whole step is repeated later.
      if (isDatabaseTrouble(error) && !mayPass(error)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT item');
      block?.rewind(size);
      await onFailure(error);
    }
  };

  /** Orders that the database could not expire, with the time of the next try. */
  const unexpired = new Map<string, number>();

  const expireOrders = async (tx: Sql): Promise<boolean> => {
    const now = clock.now();
    for (const [hash, at] of unexpired) if (at <= performance.now()) unexpired.delete(hash);
    const due = await tx.query<OrderRow>(
      `SELECT * FROM orders WHERE ${expiredBy('$1')} AND hash <> ALL($2::text[]) ORDER BY valid_until LIMIT ${BATCH}`,
      [Math.floor(now / 1000), [...unexpired.keys()]],
    );
    let isLate = false;
    for (const found of due) {
      if (isLate) break;
      await guarded(
        tx,
        undefined,
        async () => {
          const order = await lockOpenOrder(tx, found);
          if (order) await closeOrder(tx, order, 'expired', now);
        },
        async (error) => {
          isLate = mayPass(error);
          log.error({ err: error, hash: found.hash }, 'an order could not expire for now');
          unexpired.set(found.hash, performance.now() + RETRY_MS);
        },
      );
    }
    return due.length > 0;
  };

  /**
   * Requests that wait, with the time of the next try (`performance.now()`); the earliest is first.
   */
  const postponed = new Map<number, number>();
  /** Those whose failure is in the log; the next tries find the same one. */
  const told = new Set<number>();

  const postpone = ({ id, hash }: RequestRow, error: unknown, message: string) => {
    postponed.set(id, performance.now() + RETRY_MS);
    if (!told.has(id)) log.error({ err: error, hash }, message);
    told.add(id);
  };

  const settleRequests = async (tx: Sql): Promise<boolean> => {
    const now = clock.now();
    const retried = [...postponed]
      .filter(([, at]) => at <= performance.now())
      .slice(0, RETRIES)
      .map(([id]) => id);
    const due = await tx.query<RequestRow>(
      `(SELECT * FROM requests WHERE status = 'received' AND id <> ALL($1::bigint[]) ORDER BY id LIMIT ${BATCH})
       UNION ALL SELECT * FROM requests WHERE status = 'received' AND id = ANY($2::bigint[])`,
      [[...postponed.keys()], retried],
    );
    for (const id of retried) postponed.delete(id);
    if (due.length === 0) return false;
    const block = await OpenBlock.take(tx, now);
    let isLate = false;
    for (const row of due) {
      if (isLate) break;
      const { id, account_id, other_account_id, hash } = row;
      /** The request with its accounts locked, unless it has ended. */
      const locked = async (): Promise<RequestRow | undefined> => {
        await lockAccounts(tx, [account_id, other_account_id]);
        const [request] = await tx.query<RequestRow>(`SELECT * FROM requests WHERE id = $1 AND status = 'received'`, [
          id,
        ]);
        return request;
      };
      await guarded(
        tx,
        block,
        async () => {
          relayer.faults.pass('settle');
          const request = await locked();
          if (request) await settleRequest(relayer, tx, block, request, now);
        },
        async (error) => {
          isLate = mayPass(error);
          if (isLate) return postpone(row, error, 'a request waits: the database could not settle it now');
          // The savepoint took its locks back: a submission that waited may end the request first.
          const request = await locked();
          if (!request) return;
          if (request.kind === 'deposit' || request.kind === 'nftDeposit') {
            // The money is here already: a deposit is tried again for ever, never failed.
            return postpone(row, error, 'a deposit waits: it could not be settled');
          }
          const known =
            error instanceof SettlementFailure || error instanceof Refusal || error instanceof InjectedFault;
          if (!known) log.error({ err: error, hash }, 'a request could not be settled');
          await failRequest(tx, request, known ? error.message : 'it could not be settled', now);
          metrics.count('requests_failed_total', { kind: request.kind });
        },
      );
    }
    await block.close();
    return true;
  };

  /** Where this fails, matching takes up the same orders, and finds the one at fault. */
  const restQuietOrders = (): Promise<boolean> =>
    step((tx) => restOrders(relayer, tx)).catch((error) => {
      if (isDatabaseTrouble(error) && !mayPass(error)) throw error;
      log.error({ err: error }, 'new orders could not be put into the book together');
      return false;
    });

  /**
   * What ends when an order cannot be matched, locked: all orders that fill a full balance, else
   * the order.
   */
  const ordersAtFault = async (tx: Sql, order: BookOrder, error: unknown): Promise<OrderRow[]> => {
    if (error instanceof BalanceFull) {
      await lockAccounts(tx, [error.accountId]);
      const filling = await tx.query<OrderRow>(
        `SELECT * FROM orders WHERE status = 'processing' AND account_id = $1 AND token_b = $2`,
        [error.accountId, error.tokenId],
      );
      if (filling.length > 0) return filling;
    }
    const open = await lockOpenOrder(tx, order);
    return open ? [open] : [];
  };

  /** Markets in which the database could not match an order, with the time of the next try. */
  const paused = new Map<string, number>();
  /** When the pools were last compared with the orders that rest for them. */
  let compared = Number.NEGATIVE_INFINITY;

  /** The last step could not match its orders together now: this one takes each by itself. */
  let oneByOne = false;

  const matchOrders = async (tx: Sql): Promise<boolean> => {
    for (const [market, at] of paused) if (at <= performance.now()) paused.delete(market);
    const found = await tx.query<BookOrder>(
      `SELECT ${BOOK_ORDER} FROM orders WHERE ${UNMATCHED} AND market <> ALL($1::text[]) ORDER BY seq LIMIT ${MATCHES}`,
      [[...paused.keys()]],
    );
    if (found.length === 0 || performance.now() - compared >= POOLS_MS) {
      for (const pool of relayer.catalog.pools)
        found.push(...(await restingOrdersReachedBy(tx, pool)).filter(({ market }) => !paused.has(market)));
      compared = performance.now();
    }
    if (found.length === 0) return false;
    const block = await OpenBlock.take(tx, clock.now());
    // The others expire, or wait for the next block: that is no work for this run.
    const due = found.filter((order) => order.valid_until > block.time);
    if (due.length === 0) return false;
    /**
     * Markets in which an order was taken up and is not done: later orders must not come before it.
     */
    const unfinished = new Set<string>();
    const match = async (orders: readonly BookOrder[]) => {
      const book = await Book.load(relayer, tx, orders, block.time);
      const settlement = new Settlement(block, clock.now());
      for (const order of book.due) {
        if (unfinished.has(order.market)) continue;
        await matchOrder(book, settlement, order);
        if (order.status === 'processing' && !order.resting) unfinished.add(order.market);
        if (settlement.fills >= FILLS) break;
      }
      await settlement.write(tx, relayer.catalog);
    };
    const matchEach = async () => {
      let isLate = false;
      for (const order of due) {
        if (isLate) break;
        await guarded(
          tx,
          block,
          () => match([order]),
          async (error) => {
            isLate = mayPass(error);
            log.error({ err: error, hash: order.hash }, 'an order could not be matched');
            if (isLate) return void paused.set(order.market, performance.now() + RETRY_MS);
            const atFault = await ordersAtFault(tx, order, error);
            for (const failed of atFault) await closeOrder(tx, failed, 'failed', clock.now());
            // Those of a full balance ended in its place.
            if (!atFault.some(({ hash }) => hash === order.hash)) unfinished.add(order.market);
          },
        );
      }
    };
    if (oneByOne) {
      oneByOne = false;
      await matchEach();
    } else {
      // Together; when that fails one by one, and the one that is at fault is closed.
      await guarded(
        tx,
        block,
        () => match(due),
        async (error) => {
          unfinished.clear();
          oneByOne = mayPass(error);
          if (!oneByOne) return matchEach();
          // The one at fault may have come from a pool.
          compared = Number.NEGATIVE_INFINITY;
        },
      );
    }
    await block.close();
    return true;
  };

  /** @param all - Whether every step has to be taken. */
  const findDue = async (all: boolean): Promise<DueWork> => {
    if (all) return EVERYTHING;
    const due = await dueWork(db, config, clock.now());
    // What is due is progress once its step is done.
    if (!Object.values(due).includes(true)) progress = performance.now();
    return due;
  };

  const lastAccepted = async () => {
    const [last] = await db.query<{ id: number | null; seq: number | null }>(
      'SELECT (SELECT max(id) FROM requests) AS id, (SELECT max(seq) FROM orders) AS seq',
    );
    return { id: last?.id ?? 0, seq: last?.seq ?? 0 };
  };

  /**
   * Whether nothing waits of what was accepted up to then, and something does that came later:
   * without the later, the steps go on until they find nothing.
   */
  const isTakenUp = async ({ id, seq }: { readonly id: number; readonly seq: number }): Promise<boolean> => {
    const [waiting] = await db.query<{ earlier: boolean; later: boolean }>(
      `SELECT bool_or(is_earlier) AS earlier, bool_or(NOT is_earlier) AS later FROM (
         SELECT id <= $1 AS is_earlier FROM requests WHERE status = 'received' AND id <> ALL($3::bigint[])
         UNION ALL SELECT seq <= $2 FROM orders WHERE ${UNMATCHED} AND market <> ALL($4::text[])) AS waiting`,
      [id, seq, [...postponed.keys()], [...paused.keys()]],
    );
    return waiting?.later === true && !waiting.earlier;
  };

  let forgot = Number.NEGATIVE_INFINITY;
  /** The last fast withdrawal whose promise had its turn. */
  let promisesEnded = 0;

  const run = async ({ seal = false, forMs = Number.POSITIVE_INFINITY } = {}): Promise<void> => {
    await clock.reload();
    byHand = seal;
    if (byHand) {
      postponed.clear();
      paused.clear();
      unexpired.clear();
    }
    const started = performance.now();
    // Makes the books of a new catalog, also when there is nothing else to do: depth reads them.
    if (relayer.catalog !== built && !(await step(async () => true))) return;
    let due = await findDue(seal);
    const last = seal ? await lastAccepted() : undefined;
    // Requests and orders take turns, so that neither starves the other.
    for (let more = true; more && !stopped; ) {
      if (performance.now() - started > forMs) {
        wake();
        break;
      }
      const expired = due.expired && (await step(expireOrders));
      const settled = due.requests && (await step(settleRequests));
      const closed = (due.closed || settled) && (await step((tx) => takeOutClosed(tx, relayer.catalog, clock.now())));
      const rested = due.orders && (await restQuietOrders());
      const matched = (due.orders || due.pooled) && (await step(matchOrders));
      more = expired || settled || closed || rested || matched;
      if (more && last && (await isTakenUp(last))) break;
      if (more) due = await findDue(seal);
    }
    const moved = due.blocks && (await step((tx) => moveBlocks(tx, config, clock.now(), seal)));
    // A round by timer does not wait for it: hashing goes on beside the next orders.
    const rooted = relayer.state.rootBlocks(seal);
    const written = relayer.snapshots?.write();
    if (seal) await Promise.all([rooted, written]);
    if (due.promises || moved)
      await step(async (tx) => {
        const { found, next } = await endFastWithdrawals(relayer, tx, promisesEnded, told);
        promisesEnded = next;
        return found > 0;
      });
    if (started - forgot > FORGET_MS) {
      forgot = started;
      await step(async (tx) => {
        await forgetAccountChanges(tx);
        return false;
      });
    }
    metrics.observe('engine_run_seconds', (performance.now() - started) / 1000, {});
  };

  const enqueue = (options?: { readonly seal?: boolean; readonly forMs?: number }): Promise<void> => {
    const next = running
      .then(() => (stopped ? undefined : run(options)))
      .finally(() => {
        if (isAtWork) worked = performance.now();
        isAtWork = false;
      });
    running = next.catch((error) => log.error({ err: error }, 'the engine stumbled; it goes on with the next round'));
    return next;
  };

  /** One at a time. */
  const l1Round = (): Promise<void> => {
    l1Running ??= moveL1(relayer).finally(() => {
      l1Running = undefined;
    });
    return l1Running;
  };

  let isRoundDue = false;
  /**
   * One round by timer waits for its turn, however many are asked for while a run goes on: a slow
   * database would pile them up before each run by hand. It does not wait for the L1 chain, which
   * may hang.
   */
  const round = async () => {
    if (isRoundDue) return;
    isRoundDue = true;
    await running;
    isRoundDue = false;
    await enqueue({ forMs: ROUND_MS });
    if (!stopped) void l1Round();
  };

  const wake = () => {
    if (asked || stopped || config.engine !== 'timer') return;
    asked = true;
    const begin = () => {
      asked = false;
      round().catch(() => {});
    };
    void running.then(() => setTimeout(begin, Math.max(0, worked + PAUSE_MS - performance.now())).unref());
  };

  return {
    run: async (options) => {
      await enqueue(options);
      await l1Running;
      await l1Round();
    },
    wake,
    start: () => {
      if (config.engine !== 'timer') return;
      timer = setInterval(() => round().catch(() => {}), config.engineIntervalMs);
      timer.unref();
    },
    sinceProgress: () => (config.engine === 'timer' ? performance.now() - progress : undefined),
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await Promise.all([running, l1Running]);
    },
  };
}
