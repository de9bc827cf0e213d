import { fullHash } from '../protocol/formatHash.ts';
import { address, formatHash, relayerErrorNamed } from '../protocol/index.ts';
import { once } from '../protocol/once.ts';
import { fillableStatuses, openOrderStatuses } from '../protocol/states.ts';
import { z } from '../protocol/zod.ts';
import { everyRow, PAGE } from './everyRow.ts';
import { orderHashField } from './intentFields.ts';
import { type Facts, IntentError, type KnownOrder, type Operation, splitFields } from './operation.ts';
import type { Reads } from './reads.ts';
import type { ReviewRow, TokenFacts } from './review.ts';
import type { Outcome } from './settlement.ts';
import { signQuery } from './signByOwner.ts';
import type { SubmittedRequest } from './submittedRequest.ts';

/** Orders of one request; relayers take no more. */
const MOST = 10;
/** Seconds for which a list of orders is good enough to be shown. */
const LISTING_AGE_SECONDS = 30;

const intent = once(() =>
  z.optional(
    z.strictObject({
      account: z.optional(address()),
      /** All that the site has placed when absent. */
      orderHashes: z.optional(z.array(orderHashField()).check(z.minLength(1), z.maxLength(MOST))),
    }),
  ),
);

export type CancelAllOrdersIntent = z.output<ReturnType<typeof intent>>;

/** The query of `DELETE /api/v3/orders/byHash`; all of it is signed. */
interface Body {
  readonly accountId: number;
  /** Hashes joined by commas. */
  readonly orderHash: string;
}

interface Shown {
  readonly count: number;
  /** Open orders of the site beyond those. */
  readonly left: number;
  /** Known facts of the orders; drafts of earlier versions have none. */
  readonly orders?: readonly EndingOrder[];
}

interface EndingOrder {
  readonly order: Pick<KnownOrder, 'hash' | 'side' | 'baseAmount' | 'quoteAmount'>;
  readonly base: TokenFacts;
  readonly quote: TokenFacts;
}

/** A row of the relayer's answer; some relayers answer in forms of their own. */
interface AnsweredOrder {
  readonly id?: string;
  readonly result?: boolean;
  readonly error?: { readonly code?: number };
}

interface OrderOutcome {
  readonly orderHash: string;
  readonly cancelled?: boolean;
}

const hashesOf = ({ orderHash }: SubmittedRequest['query']) => String(orderHash).split(',');

/**
 * Gives the outcome of each order, in the order of the query; without `cancelled` when the relayer
 * has not said.
 */
function outcomesOf(query: SubmittedRequest['query'], answer: unknown): OrderOutcome[] {
  const rows: readonly (AnsweredOrder | null)[] = Array.isArray(answer) ? answer : [];
  return hashesOf(query).map((orderHash) => {
    const row = rows.find((one) => fullHash(one?.id) === orderHash.toLowerCase());
    const { result: cancelled, error } = row ?? {};
    if (typeof cancelled !== 'boolean') return { orderHash };
    return { orderHash, cancelled, ...(error && { code: error.code, name: relayerErrorNamed(Number(error.code)) }) };
  });
}

/** The rows of an answer that did not come, from the ends of the orders. */
async function rowsOf(hashes: readonly string[], accountId: number, reads: Reads): Promise<AnsweredOrder[]> {
  const rows: AnsweredOrder[] = [];
  for (const id of hashes) {
    const order = await reads.find('getOrder', { query: { accountId, orderHash: id } }, ['ORDER_NOT_FOUND']);
    if (order) rows.push({ id, result: order.status === 'cancelled' });
  }
  return rows;
}

/** Statuses of these orders that are not final, at the relayer. */
async function openAmong(hashes: readonly string[], accountId: number, reads: Reads): Promise<string[]> {
  const wanted = new Set(hashes.map(BigInt));
  const open: string[] = [];
  const query = { accountId, status: openOrderStatuses.join(), limit: PAGE };
  const readPage = async (offset: number) => {
    const { orders: rows, totalNum } = await reads.read('getOrders', { query: { ...query, offset } });
    return { rows, totalNum };
  };
  for await (const { hash, status } of everyRow(readPage, (order) => order.hash))
    if (wanted.has(BigInt(hash))) open.push(status);
  return open;
}

/**
 * Reads the orders, as far as the relayer lists them in time; the others are named by their hash.
 */
async function ordersNamed(hashes: readonly string[], facts: Facts): Promise<EndingOrder[]> {
  const query = { accountId: facts.account.accountId, status: fillableStatuses, limit: PAGE };
  const listed = await facts.recent('getOrders', { query }, LISTING_AGE_SECONDS);
  const found: EndingOrder[] = [];
  for (const { hash: printed, market, side, volumes } of listed?.orders ?? []) {
    const hash = formatHash(BigInt(printed));
    if (!hashes.includes(hash)) continue;
    const { base, quote } = await facts.pairOf(market);
    if (!base || !quote) continue;
    const { baseAmount, quoteAmount } = volumes;
    found.push({ order: { hash, side, baseAmount, quoteAmount }, base, quote });
  }
  return found;
}

/** Builds the row of an order that ends: what it would have paid, and for what. */
function endingRow({ order, base, quote }: EndingOrder): ReviewRow {
  const isSale = order.side === 'SELL';
  return {
    label: { key: isSale ? 'review_endsSale' : 'review_endsPurchase' },
    value: { kind: 'amount', volume: order.baseAmount, token: base },
    note: {
      key: isSale ? 'review_endsFor' : 'review_endsFrom',
      values: {
        amount: { kind: 'amount', volume: order.quoteAmount, token: quote },
        hash: { kind: 'hex', hex: order.hash },
      },
    },
  };
}

/**
 * Cancels the open orders that the asking site has placed with this wallet, or of them those that
 * it names, and no others.
 */
export const cancelAllOrders: Operation<CancelAllOrdersIntent, Body, Shown> = {
  name: 'cancelAllOrders',
  method: 'relayer_cancelAllOrders',
  permission: 'orders',
  group: 'orders',
  picture: 'cross',
  intent,
  settle: {
    reportsHash: false,
    // Clients read nothing of the answer; the orders tell.
    outcomeOf: () => ({ state: 'open', ack: {} }),
    async find({ accountId, query, ack }, reads): Promise<Outcome | null> {
      const hashes = hashesOf(query);
      const statuses = await openAmong(hashes, accountId, reads);
      if (statuses.length === 0) {
        const rows: unknown = Array.isArray(ack) ? ack : await rowsOf(hashes, accountId, reads);
        return { state: 'processed', ack: rows as Outcome['ack'] };
      }
      return statuses.every((status) => status === 'cancelling') ? { state: 'open', ack: {} } : null;
    },
  },

  tooLateFor: ({ query, ack }) =>
    outcomesOf(query, ack).flatMap(({ orderHash, cancelled }) => (cancelled === false ? orderHash : [])),

  cancelled: ({ query, ack }) =>
    outcomesOf(query, ack).flatMap(({ orderHash, cancelled }) => (cancelled ? orderHash : [])),

  result: ({ query, ack }) => ({ orders: outcomesOf(query, ack) }),

  async prepare(asked, facts) {
    const all = await facts.siteOrders();
    const wanted = asked?.orderHashes?.map(BigInt);
    const chosen = wanted ? all.filter((hash) => wanted.includes(BigInt(hash))) : all;
    if (wanted && chosen.length === 0) throw new IntentError('orderHashes', 'names no open order of this site');
    if (chosen.length === 0) throw new IntentError('account', 'has no open order of this site');
    const hashes = chosen.slice(0, MOST);
    return {
      body: { accountId: facts.account.accountId, orderHash: hashes.join(',') },
      shown: { count: hashes.length, left: chosen.length - hashes.length, orders: await ordersNamed(hashes, facts) },
    };
  },

  review({ body, shown: { count, left, orders } }) {
    return {
      sentence: {
        key: count === 1 ? 'review_cancelOneOrder' : 'review_cancelAllOrders',
        values: { count: { kind: 'integer', value: count } },
      },
      rows: body.orderHash.split(',').map((hash) => {
        const known = orders?.find((one) => one.order.hash === hash);
        return known ? endingRow(known) : { label: { key: 'review_orderHash' }, value: { kind: 'hex', hex: hash } };
      }),
      warnings:
        left > 0
          ? [
              {
                rule: 'orders-left',
                severity: 'notice',
                text:
                  left === 1
                    ? { key: 'warning_orderLeft' }
                    : { key: 'warning_ordersLeft', values: { left: { kind: 'integer', value: left } } },
              },
            ]
          : [],
      ...splitFields(body, ['accountId', 'orderHash']),
    };
  },

  storageSlot: () => null,

  sign: ({ body }, _storageId, { baseUrl }, keys) => signQuery('cancelOrdersByHash', { ...body }, baseUrl, keys),
};
