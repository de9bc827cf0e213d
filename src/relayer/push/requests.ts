import {
  MAX_TOPICS,
  PushRefusal,
  type PushTopic,
  type PushTopicName,
  privateTopics,
  readTopic,
  readTopicName,
  topicKey,
} from '../../protocol/push.ts';
import type { Relayer } from '../engine/relayer.ts';
import type { Connection } from './connection.ts';
import type { PushHub } from './pushHub.ts';

/** A request as it was sent, as far as it can be read. */
interface Raw {
  readonly op?: unknown;
  readonly sequence?: unknown;
  readonly apiKey?: unknown;
  readonly unsubscribeAll?: unknown;
  readonly topics?: unknown;
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';

function parsed(text: string): Raw {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Refused below: what is no JSON has no sequence to answer with either.
  }
  throw new PushRefusal('MESSAGE_INVALID', 'unexpected msg: not a JSON object');
}

/**
 * Carries out one request of a client: the reply once the new topics are in force, because the
 * client reads by REST then and a change that came before would be told to nobody; after it what
 * they begin with. A request that is refused changes nothing: everything is checked before the
 * first subscription.
 */
export async function answerRequest(
  relayer: Relayer,
  hub: PushHub,
  connection: Connection,
  text: string,
): Promise<void> {
  let raw: Raw = {};
  const reply = (answer: object) => connection.send(JSON.stringify({ ...echo(raw), ...answer }));
  try {
    raw = parsed(text);
    const begins: (() => void)[] = [];
    for (const topic of await carryOut(relayer, hub, connection, raw))
      begins.push(await hub.subscribe(connection, topic, connection.apiKey?.accountId));
    reply({ topics: raw.topics ?? [], result: { status: 'OK' } });
    for (const begin of begins) begin();
  } catch (error) {
    if (!(error instanceof PushRefusal)) throw error;
    const { code, message } = error;
    reply({ topics: [], result: { status: 'failed', error: { code, message } } });
  }
}

const echo = ({ op, sequence }: Raw) => ({
  op: typeof op === 'string' ? op.slice(0, 20) : '',
  ...(typeof sequence === 'number' && { sequence }),
});

/** @returns The topics to subscribe to. */
async function carryOut(
  relayer: Relayer,
  hub: PushHub,
  connection: Connection,
  raw: Raw,
): Promise<readonly PushTopic[]> {
  const op = typeof raw.op === 'string' ? raw.op.toLowerCase() : '';
  if (op !== 'sub' && op !== 'unsub') throw new PushRefusal('OP_UNKNOWN', 'op: is neither sub nor unSub');
  const topics: unknown = raw.topics ?? [];
  if (!Array.isArray(topics)) throw new PushRefusal('TOPIC_MISSING', 'topics: is not a list');
  if (topics.length > MAX_TOPICS) throw tooMany();
  const drops: PushTopicName[] = [];
  const entries: Entry[] = [];
  for (const entry of topics as unknown[]) {
    const dropsAll = isTrue((entry as Raw | null)?.unsubscribeAll);
    if (dropsAll) drops.push(readTopicName(entry));
    // To leave all of a topic, its name is enough.
    if (dropsAll && op === 'unsub') continue;
    const topic = readTopic(entry);
    entries.push({ topic, key: topicKey(topic) });
  }
  if (new Set(entries.map(({ key }) => key)).size < entries.length)
    throw new PushRefusal('TOPIC_DUPLICATE', 'topics: one is named twice');
  const asked: Asked = { apiKey: raw.apiKey, all: isTrue(raw.unsubscribeAll), drops, entries };
  if (topics.length === 0 && !asked.all) throw new PushRefusal('TOPIC_MISSING', 'topics: is empty');
  if (op === 'sub') return join(relayer, hub, connection, asked);
  leave(hub, connection, asked);
  bind(connection);
  return [];
}

interface Entry {
  readonly topic: PushTopic;
  readonly key: string;
}

/** What a request asks for. */
interface Asked {
  readonly apiKey: unknown;
  /** Every subscription is dropped. */
  readonly all: boolean;
  /** Every subscription of these topics is dropped. */
  readonly drops: readonly PushTopicName[];
  /** What is subscribed to, or left by itself. */
  readonly entries: readonly Entry[];
}

/** Gives the connection the account of its topics; it belongs to none without such topics. */
function bind(connection: Connection, apiKey = connection.apiKey): void {
  const isPrivate = [...connection.topics.values()].some(({ topic }) => privateTopics.includes(topic));
  connection.apiKey = isPrivate ? apiKey : undefined;
}

/** The subscriptions that `unsubscribeAll` drops: all, or with an entry those of its topic. */
const droppedBy = ({ topics }: Connection, { all, drops }: Asked): readonly string[] =>
  [...topics].filter(([, { topic }]) => all || drops.includes(topic)).map(([key]) => key);

function drop(hub: PushHub, connection: Connection, keys: Iterable<string>): void {
  for (const key of keys) {
    connection.topics.delete(key);
    hub.leave(connection, key);
  }
}

function leave(hub: PushHub, connection: Connection, asked: Asked): void {
  const named = asked.all ? [] : asked.entries.map(({ key }) => key);
  const unknown = named.find((key) => !connection.topics.has(key));
  if (unknown !== undefined)
    throw new PushRefusal('SUBSCRIPTION_NOT_FOUND', `there is no subscription of ${unknown.slice(0, 200)}`);
  drop(hub, connection, new Set([...droppedBy(connection, asked), ...named]));
}

async function join(
  relayer: Relayer,
  hub: PushHub,
  connection: Connection,
  asked: Asked,
): Promise<readonly PushTopic[]> {
  const topics = asked.entries.map(({ topic }) => topic);
  for (const topic of topics) hub.check(topic);
  const apiKey = await apiKeyOf(relayer, connection, asked.apiKey, topics);

  const dropped = new Set(droppedBy(connection, asked));
  const kept = [...connection.topics.keys()].filter((key) => !dropped.has(key));
  if (new Set([...kept, ...asked.entries.map(({ key }) => key)]).size > MAX_TOPICS) throw tooMany();

  drop(hub, connection, dropped);
  // One that is there already is told from its beginning again.
  for (const { key, topic } of asked.entries) connection.topics.set(key, topic);
  bind(connection, apiKey);
  return topics;
}

const tooMany = () => new PushRefusal('TOO_MANY_TOPICS', `a connection has ${MAX_TOPICS} topics at most`);

/**
 * The key that was sent, when a topic needs one. A connection belongs to one account.
 * @throws {PushRefusal} The key is missing, unknown, replaced, or of another account.
 */
async function apiKeyOf(
  relayer: Relayer,
  connection: Connection,
  apiKey: unknown,
  topics: readonly PushTopic[],
): Promise<Connection['apiKey']> {
  const needing = topics.filter(({ topic }) => privateTopics.includes(topic));
  if (needing.length === 0) return undefined;
  if (typeof apiKey !== 'string' || apiKey === '') throw new PushRefusal('API_KEY_MISSING', 'apiKey is missing');
  const account = await relayer.accountOfApiKey(apiKey);
  if (!account) throw new PushRefusal('API_KEY_INVALID', 'apiKey is unknown or was replaced');
  const { accountId } = account;
  const other = needing.some((topic) => topic.topic === 'account' && (topic.accountId ?? accountId) !== accountId);
  if (other || (connection.apiKey !== undefined && connection.apiKey.accountId !== accountId))
    throw new PushRefusal('API_KEY_OF_ANOTHER', 'apiKey is the one of another account');
  return { accountId, text: apiKey };
}
