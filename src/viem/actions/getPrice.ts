import { ask, type RelayerClient } from '../ask.ts';
import type { GetPriceParameters, GetPriceReturnType } from '../generated/methods.ts';

/**
 * Prices of tokens in a legal currency, at the operator's list. Shows no window and needs no
 * connection.
 * @throws {RelayerActionError}
 * @example
 * const price = await client.relayer.getPrice({ legal: 'USD' });
 */
export function getPrice(client: RelayerClient, parameters: GetPriceParameters): Promise<GetPriceReturnType> {
  return ask(client, 'relayer_getPrice', parameters);
}
