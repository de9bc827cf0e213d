import { ask, type RelayerClient } from '../ask.ts';
import type { UnsubscribeParameters } from '../generated/methods.ts';

/**
 * Ends a subscription of the site.
 * @returns False when the site has none of that name, such as one that has ended.
 * @example
 * await client.relayer.unsubscribe({ subscription });
 */
export function unsubscribe(client: RelayerClient, parameters: UnsubscribeParameters): Promise<boolean> {
  return ask(client, 'relayer_unsubscribe', parameters);
}
