import type { RelayerClient } from '../ask.ts';
import { ParameterError, toActionError } from '../errors.ts';
import type { SubscribeParameters } from '../generated/methods.ts';
import type { RelayerMessage, TopicUpdate } from '../messages.ts';
import { tell } from '../tell.ts';
import { subscribe, unsubscribe } from './subscriptions.ts';
import type { EventSource } from './watchSubmission.ts';

export interface WatchTopicParameters {
  /**
   * The topic and what it takes, such as
   * `{ topic: 'orderbook', market: 'LRC-ETH', level: 0, snapshot: true }`.
   */
  readonly topic: SubscribeParameters;
  /** Called with each change, as the relayer tells it. */
  readonly onUpdate: (update: TopicUpdate) => void;
  /**
   * Called when the relayer begins to tell, at first and after each gap: what changed before is not
   * told, so read it now.
   */
  readonly onBegan?: (() => void) | undefined;
  /**
   * Called once when the watch ends by itself: refused, locked, revoked or not read. Nothing is
   * called after it.
   */
  readonly onEnded?: ((error: Error) => void) | undefined;
  /** Brings what is told; the provider that `relayerActions` was given. */
  readonly provider?: EventSource | undefined;
}

type Told = Extract<RelayerMessage, { type: 'relayer_subscription' }>['data'];

/**
 * Follows a topic of the exchange, or orders and balances of an account, by the wallet's own
 * connection to the relayer.
 * @returns What ends the watch; nothing is called after it.
 * @throws {ParameterError} Without a provider nothing would be heard.
 * @example
 * const unwatch = client.relayer.watchTopic({
 *   topic: { topic: 'ticker', market: 'LRC-ETH' },
 *   onBegan: () => show('now read what it is'),
 *   onUpdate: ({ data }) => show(data),
 * });
 */
export function watchTopic(client: RelayerClient, parameters: WatchTopicParameters): () => void {
  const { topic, onUpdate, onBegan, onEnded, provider } = parameters;
  if (!provider) throw new ParameterError('provider: is missing; give it to relayerActions');
  let over = false;
  let subscription: string | undefined;
  /** Told before the name of the subscription was. */
  const early: Told[] = [];

  const stop = () => {
    over = true;
    provider.removeListener('message', onMessage);
  };
  const end = (error: unknown) => {
    if (over) return;
    stop();
    void tell(onEnded, toActionError(error, false));
  };
  const take = (told: Told) => {
    if (over || told.subscription !== subscription) return;
    if ('error' in told) end(told.error);
    else if ('result' in told) void tell(onUpdate, told.result);
    else void tell(onBegan);
  };
  const onMessage = ({ type, data }: { readonly type: string; readonly data: unknown }) => {
    if (type !== 'relayer_subscription') return;
    if (subscription === undefined) early.push(data as Told);
    else take(data as Told);
  };
  const leave = () => subscription !== undefined && void unsubscribe(client, { subscription }).catch(() => {});

  provider.on('message', onMessage);
  subscribe(client, topic).then((name) => {
    subscription = name;
    if (over) leave();
    early.forEach(take);
  }, end);
  return () => {
    if (over) return;
    stop();
    leave();
  };
}
