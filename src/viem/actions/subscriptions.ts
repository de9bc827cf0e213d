import { ask, askFor, type RelayerClient } from '../ask.ts';
import type { SubscribeParameters, UnsubscribeParameters } from '../generated/methods.ts';

/**
 * Asks the wallet to tell what changes at the exchange: the site's own orders and balances with the
 * permission *read*, public topics with a connection. `watchTopic` does this and hears what is
 * told.
 * @returns The subscription, named in each `relayer_subscription` message.
 * @throws {UnauthorizedError} The site is not connected or has no permission *read*, or the wallet
 *   is locked.
 * @throws {LimitExceededError} The site has 20 subscriptions already.
 * @example
 * const subscription = await client.relayer.subscribe({ topic: 'ticker', market: 'LRC-ETH' });
 */
export function subscribe(client: RelayerClient, parameters: SubscribeParameters): Promise<string> {
  return parameters.topic === 'order' || parameters.topic === 'account'
    ? askFor(client, 'relayer_subscribe', parameters)
    : ask(client, 'relayer_subscribe', parameters);
}

/**
 * Ends a subscription of the site.
 * @returns False when the site has none of that name, such as one that has ended.
 * @example
 * await client.relayer.unsubscribe({ subscription });
 */
export function unsubscribe(client: RelayerClient, parameters: UnsubscribeParameters): Promise<boolean> {
  return ask(client, 'relayer_unsubscribe', parameters);
}
