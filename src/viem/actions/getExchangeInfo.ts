import { ask, type RelayerClient } from '../ask.ts';
import type { GetExchangeInfoParameters, GetExchangeInfoReturnType } from '../generated/methods.ts';

/**
 * Chain id, exchange and deposit address. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const exchangeInfo = await client.relayer.getExchangeInfo();
 */
export function getExchangeInfo(
  client: RelayerClient,
  parameters: GetExchangeInfoParameters = {},
): Promise<GetExchangeInfoReturnType> {
  return ask(client, 'relayer_getExchangeInfo', parameters);
}
