import { described } from './described.ts';
import { doc } from './doc.ts';
import { address, queryAccountId, queryInteger } from './fields.ts';
import { candleInterval, queryMarket } from './marketData.ts';
import { once } from './once.ts';
import { z } from './zod.ts';

/** Messages of the relayer's WebSocket: requests for topics, their replies, and notifications. */

/** Path of the socket; a key of `/v3/ws/key` opens one connection. */
export const SOCKET_PATH = '/v3/ws';
/** Name of the key in the socket's query. */
export const SOCKET_KEY_PARAMETER = 'wsApiKey';
/** The relayer sends the first as a text of its own, the client answers with the second. */
export const PING = 'ping';
export const PONG = 'pong';
/** Topics of one connection. */
export const MAX_TOPICS = 20;
/** Slots of one side of a book, by REST too. */
export const MAX_PUSHED_SLOTS = 50;

/** Refusals of a request, by name. */
export const pushErrors = {
  TOPIC_MISSING: 104100,
  OP_UNKNOWN: 104101,
  TOPIC_UNKNOWN: 104102,
  TOPIC_DUPLICATE: 104103,
  API_KEY_MISSING: 104104,
  API_KEY_OF_ANOTHER: 104105,
  CANDLESTICK_INVALID: 104106,
  ORDERBOOK_INVALID: 104107,
  TRADE_INVALID: 104109,
  ORDER_INVALID: 104110,
  TICKER_INVALID: 104111,
  API_KEY_INVALID: 104112,
  SUBSCRIPTION_NOT_FOUND: 104113,
  MESSAGE_INVALID: 104115,
  TOO_MANY_TOPICS: 104116,
  AMMPOOL_INVALID: 102034,
} as const;

export type PushErrorName = keyof typeof pushErrors;

/** Why the relayer ends a connection; below 4000 are the WebSocket's own. */
export const closeCodes = {
  /** The relayer stops: connect to another process, or again in a moment. */
  goingAway: 1001,
  /** A message larger than the relayer reads. */
  messageTooBig: 1009,
  /** The client read too slowly and its queue was full. */
  tooSlow: 4001,
  /** No sign of life came. */
  silent: 4002,
  /** The API key of an account topic was replaced. */
  keyReplaced: 4003,
  /** The relayer could not follow the database: read by REST and subscribe again. */
  lost: 4004,
  /** More requests a second than are read. */
  tooManyRequests: 4005,
} as const;

/** Booleans that some clients send as text. */
const flag = once(() =>
  z.optional(
    z.union([
      z.boolean(),
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((text) => text === 'true'),
      ),
    ]),
  ),
);
const market = once(() =>
  z.pipe(
    queryMarket(),
    z.transform((name) => name.toUpperCase()),
  ),
);

const bookFields = () => ({
  market: market(),
  level: described(queryInteger(1_000), doc?.('Aggregation of prices, as in the depth by REST')),
  count: described(z.optional(queryInteger(MAX_PUSHED_SLOTS, 1)), doc?.('Slots on each side; 50 when absent')),
  snapshot: described(
    flag(),
    doc?.('True: the whole top of the book with each change. False, the default: changed slots'),
  ),
});

/** Topics and what each takes. Unknown fields are ignored. */
const topics = {
  account: () =>
    z.object({
      topic: z.literal('account'),
      accountId: z.optional(queryAccountId()),
      v3: described(flag(), doc?.('True: the newer names, and NFTs as well')),
    }),
  order: () =>
    z.object({
      topic: z.literal('order'),
      market: described(z.optional(market()), doc?.('Of all markets when absent')),
    }),
  orderbook: () => z.object({ topic: z.literal('orderbook'), ...bookFields() }),
  mixorder: () => z.object({ topic: z.literal('mixorder'), ...bookFields(), showOverlap: flag() }),
  trade: () => z.object({ topic: z.literal('trade'), market: market() }),
  mixtrade: () => z.object({ topic: z.literal('mixtrade'), market: market() }),
  ticker: () => z.object({ topic: z.literal('ticker'), market: market() }),
  candlestick: () =>
    z.object({
      topic: z.literal('candlestick'),
      market: market(),
      interval: candleInterval(),
    }),
  ammpool: () =>
    z.object({
      topic: z.literal('ammpool'),
      poolAddress: described(address(), doc?.('Address of the pool')),
      snapshot: flag(),
    }),
} as const;

export type PushTopicName = keyof typeof topics;
/** One subscription, as the relayer reads it. */
export type PushTopic = { [Name in PushTopicName]: z.output<ReturnType<(typeof topics)[Name]>> }[PushTopicName];
/** One subscription, as a caller writes it. */
export type PushTopicInput = { [Name in PushTopicName]: z.input<ReturnType<(typeof topics)[Name]>> }[PushTopicName];

export const pushTopicNames = Object.keys(topics) as PushTopicName[];

/** The schemas of all topics. */
export const pushTopicSchemas = () => Object.values(topics).map((build) => build());

/** Topics of an account; they need its API key. */
export const privateTopics: readonly PushTopicName[] = ['account', 'order'];

const invalidTopic: Readonly<Record<PushTopicName, PushErrorName>> = {
  account: 'MESSAGE_INVALID',
  order: 'ORDER_INVALID',
  orderbook: 'ORDERBOOK_INVALID',
  mixorder: 'ORDERBOOK_INVALID',
  trade: 'TRADE_INVALID',
  mixtrade: 'TRADE_INVALID',
  ticker: 'TICKER_INVALID',
  candlestick: 'CANDLESTICK_INVALID',
  ammpool: 'AMMPOOL_INVALID',
};

/** A request for topics that is refused as a whole. */
export class PushRefusal extends Error {
  override readonly name = 'PushRefusal';
  readonly reason: PushErrorName;

  constructor(reason: PushErrorName, message: string) {
    super(message);
    this.reason = reason;
  }

  get code(): number {
    return pushErrors[this.reason];
  }
}

const schemas = new Map<PushTopicName, z.ZodMiniType<PushTopic>>();

/**
 * Reads which topic an entry of a request names; its parameters are not looked at.
 * @throws {PushRefusal} There is no such topic.
 */
export function readTopicName(entry: unknown): PushTopicName {
  const { topic: name } = (entry ?? {}) as { topic?: unknown };
  if (typeof name !== 'string') throw new PushRefusal('TOPIC_MISSING', 'topics: an entry has no topic');
  if (!Object.hasOwn(topics, name))
    throw new PushRefusal(
      'TOPIC_UNKNOWN',
      `topic ${name.slice(0, 40)} is unknown; there are ${pushTopicNames.join(', ')}`,
    );
  return name as PushTopicName;
}

/**
 * Reads one topic of a request.
 * @throws {PushRefusal} The topic is unknown, or a field of it is not valid.
 */
export function readTopic(entry: unknown): PushTopic {
  const known = readTopicName(entry);
  const schema = schemas.get(known) ?? (topics[known]() as unknown as z.ZodMiniType<PushTopic>);
  schemas.set(known, schema);
  const result = schema.safeParse(entry);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new PushRefusal(invalidTopic[known], `${known}: ${issue?.path.join('.')}: ${issue?.message}`);
}

/**
 * Names a subscription by the fields that were sent; a default that is written out is another name.
 */
export const topicKey = (topic: PushTopic): string => JSON.stringify(topic);
