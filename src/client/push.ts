import {
  MAX_TOPICS,
  PING,
  PONG,
  type PushTopicInput,
  pushErrors,
  readTopic,
  SOCKET_KEY_PARAMETER,
  SOCKET_PATH,
  topicKey,
} from '../protocol/index.ts';
import type { RelayerClient } from './createRelayerClient.ts';

/**
 * The part of a WebSocket that is used; browsers have it, Node from version 22 on, and the package
 * `ws`.
 */
export interface Socket {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number): void;
  // biome-ignore lint/suspicious/noExplicitAny: browsers and `ws` have event types of their own
  onopen: ((event: any) => void) | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onmessage: ((event: any) => void) | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onclose: ((event: any) => void) | null;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  onerror: ((event: any) => void) | null;
}

/** One notification of the relayer. */
export interface PushNotification {
  /** The topic as it was subscribed. */
  readonly topic: Readonly<Record<string, unknown>>;
  /** Unix ms of the relayer. */
  readonly ts: number;
  /** Of books: the first and the last version that the message covers. */
  readonly startVersion?: number;
  readonly endVersion?: number;
  readonly data: unknown;
}

export interface PushListener {
  /** Called with each notification of the relayer. */
  told(notification: PushNotification): void;
  /**
   * The subscription is in force, at first and after each break: what changed before is not told.
   * Read it by REST now.
   */
  began?(): void;
  /** The relayer refuses the topic; nothing follows. */
  refused?(error: { readonly code: number; readonly message: string }): void;
}

export interface PushOptions {
  readonly client: Pick<RelayerClient, 'getSocketKey'>;
  /** As the client's. */
  readonly baseUrl: string;
  /** The site that it is for: fetching keys takes only that site's share of the rate limit. */
  readonly origin?: string | undefined;
  readonly openSocket?: (url: string) => Socket;
  /**
   * Key of the account whose topics are subscribed; asked for at each subscription of a private
   * topic.
   * @param refused - The key that it gave for this subscription, and that the relayer does not
   *   know; asked so once.
   */
  readonly apiKey?: (refused?: string) => Promise<string | undefined>;
  /** Told when the connection opens and when it is lost. */
  readonly connected?: (isConnected: boolean) => void;
  /** ms until the n-th try after a connection that was lost, from 0. */
  readonly backOff?: (attempt: number) => number;
}

/**
 * A relayer pings every 30 s; after this long without a sign of it the connection is taken for
 * dead.
 */
const SILENCE_MS = 75_000;
/** A connection that held for so long was a good one: the next break is the first again. */
const STEADY_MS = 60_000;
/** No message of an honest relayer is as long, in characters. */
const LONGEST_MESSAGE = 1_000_000;
const PAUSES_MS = [1_000, 5_000, 10_000, 20_000, 40_000, 60_000];

/**
 * Some tenths more or less, so that the clients of a relayer that was gone do not all come back at
 * the same moment.
 */
const defaultBackOff = (attempt: number): number =>
  (PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 60_000) * (0.8 + 0.4 * Math.random());

interface Subscription {
  readonly topic: PushTopicInput;
  readonly listeners: Set<PushListener>;
}

/** A subscription that has no answer yet. */
interface Asked {
  readonly key: string;
  readonly apiKey: string | undefined;
  readonly isAnew: boolean;
}

/** @throws The first error of a listener, once all of them have been called. */
function callEach(listeners: Iterable<PushListener> = [], call: (listener: PushListener) => void): void {
  const errors: unknown[] = [];
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

interface Reply {
  readonly sequence?: number;
  readonly result: { readonly status: string; readonly error?: { readonly code: number; readonly message: string } };
}

/**
 * One connection to the relayer's pushes. It is opened by the first subscription, comes back by
 * itself after a break, and is closed when nobody is subscribed any more.
 */
export function createPush({
  client,
  baseUrl,
  origin,
  openSocket = (url) => new WebSocket(url) as unknown as Socket,
  apiKey,
  connected = () => {},
  backOff = defaultBackOff,
}: PushOptions) {
  const subscriptions = new Map<string, Subscription>();
  const asked = new Map<number, Asked>();
  let sequence = 0;
  let socket: Socket | undefined;
  /** The connection whose key is being fetched. */
  let opening: symbol | undefined;
  let isOpen = false;
  /** Since when, Unix milliseconds. */
  let openSince = 0;
  let attempt = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  const drop = () => {
    const lost = socket;
    socket = undefined;
    opening = undefined;
    clearTimeout(silence);
    asked.clear();
    if (lost) {
      lost.onopen = lost.onmessage = lost.onclose = null;
      // `ws` tells of what it could not open only here.
      lost.onerror = () => {};
      lost.close();
    }
    if (isOpen) connected(false);
    isOpen = false;
  };

  const retry = () => {
    if (isOpen && Date.now() - openSince > STEADY_MS) attempt = 0;
    drop();
    clearTimeout(again);
    if (over || subscriptions.size === 0) return;
    again = setTimeout(connect, backOff(attempt));
    attempt += 1;
  };

  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(retry, SILENCE_MS);
  };

  /** @param refused - The API key that the relayer did not know; none at first. */
  const request = async (mine: Socket, op: 'sub' | 'unSub', key: string, topic: PushTopicInput, refused?: string) => {
    const isPrivate = topic.topic === 'account' || topic.topic === 'order';
    try {
      const held = isPrivate && op === 'sub' ? await apiKey?.(refused) : undefined;
      if (socket !== mine || !isOpen || (op === 'sub' && !subscriptions.has(key))) return;
      sequence += 1;
      if (op === 'sub') asked.set(sequence, { key, apiKey: held, isAnew: refused !== undefined });
      mine.send(JSON.stringify({ op, sequence, topics: [topic], ...(held !== undefined && { apiKey: held }) }));
    } catch {
      // Another connection may be open by now.
      if (socket === mine) retry();
    }
  };

  const answered = ({ sequence: number, result }: Reply, isOk: boolean) => {
    const sent = asked.get(number ?? 0);
    asked.delete(number ?? 0);
    const subscription = sent && subscriptions.get(sent.key);
    if (!subscription) return;
    if (isOk) callEach(subscription.listeners, (listener) => listener.began?.());
    else if (result.error?.code === pushErrors.API_KEY_INVALID && sent.apiKey !== undefined && !sent.isAnew) {
      if (socket) void request(socket, 'sub', sent.key, subscription.topic, sent.apiKey);
    } else {
      subscriptions.delete(sent.key);
      closeUnused();
      const error = result.error ?? { code: 0, message: 'refused' };
      callEach(subscription.listeners, (listener) => listener.refused?.(error));
    }
  };

  const received = (text: unknown): void => {
    heard();
    if (text === PING) {
      socket?.send(PONG);
      return;
    }
    if (typeof text !== 'string' || text.length > LONGEST_MESSAGE) {
      retry();
      return;
    }
    let message: Partial<Reply> & { -readonly [Name in keyof PushNotification]?: PushNotification[Name] };
    let key: string | undefined;
    let isOk = false;
    try {
      message = JSON.parse(text);
      if (message.result) isOk = message.result.status.toLowerCase() === 'ok';
      else key = topicKey(readTopic(message.topic));
    } catch {
      // Not what was asked for: nothing that follows on this connection can be believed more.
      retry();
      return;
    }
    if (key === undefined) {
      answered(message as Reply, isOk);
      return;
    }
    // Some relayers write versions as text.
    for (const name of ['startVersion', 'endVersion'] as const)
      if (message[name] !== undefined) message[name] = Number(message[name]);
    callEach(subscriptions.get(key)?.listeners, (listener) => listener.told(message as PushNotification));
  };

  const connect = async () => {
    if (socket || opening || over) return;
    const mine = Symbol('connection');
    opening = mine;
    let url: URL;
    try {
      const { key } = await client.getSocketKey({ query: {}, origin });
      url = new URL(baseUrl.replace(/^http/, 'ws') + SOCKET_PATH);
      url.searchParams.set(SOCKET_KEY_PARAMETER, key);
    } catch {
      // Whatever the reason, the next attempt asks for a key again.
      if (opening === mine) retry();
      return;
    }
    if (opening !== mine) return;
    opening = undefined;
    try {
      open(openSocket(url.href));
    } catch {
      retry();
    }
  };

  const open = (made: Socket) => {
    socket = made;
    heard();
    made.onopen = () => {
      isOpen = true;
      openSince = Date.now();
      connected(true);
      for (const [key, { topic }] of subscriptions) void request(made, 'sub', key, topic);
    };
    made.onmessage = ({ data }: { data: unknown }) => received(data);
    made.onclose = retry;
    made.onerror = () => {};
  };

  const closeUnused = () => {
    if (subscriptions.size > 0) return;
    clearTimeout(again);
    attempt = 0;
    drop();
  };

  return {
    /**
     * Subscribes; equal topics share one subscription of the connection.
     * @returns What ends it.
     * @throws {PushRefusal} The topic is not valid.
     * @throws {RangeError} More topics than one connection has.
     */
    subscribe(topic: PushTopicInput, listener: PushListener): () => void {
      const key = topicKey(readTopic(topic));
      const known = subscriptions.get(key);
      if (!known && subscriptions.size >= MAX_TOPICS)
        throw new RangeError(`a connection has ${MAX_TOPICS} topics at most`);
      const subscription = known ?? { topic, listeners: new Set() };
      subscription.listeners.add(listener);
      subscriptions.set(key, subscription);
      // Also when others are subscribed already: what the topic begins with is told to all of them
      // again.
      if (isOpen && socket) void request(socket, 'sub', key, topic);
      else if (!socket && !opening) {
        clearTimeout(again);
        void connect();
      }
      return () => {
        subscription.listeners.delete(listener);
        if (subscription.listeners.size > 0 || subscriptions.get(key) !== subscription) return;
        subscriptions.delete(key);
        if (isOpen && socket && subscriptions.size > 0) void request(socket, 'unSub', key, topic);
        closeUnused();
      };
    },

    /** Ends every subscription. */
    close(): void {
      over = true;
      subscriptions.clear();
      closeUnused();
    },
  };
}

export type Push = ReturnType<typeof createPush>;
