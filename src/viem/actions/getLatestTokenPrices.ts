import { ask, type RelayerClient } from '../ask.ts';
import type { GetLatestTokenPricesParameters, GetLatestTokenPricesReturnType } from '../generated/methods.ts';

/**
 * Prices of tokens by their layer-1 address, at the operator's list. Shows no window and needs no
 * connection.
 * @throws {RelayerActionError}
 * @example
 * const latestTokenPrices = await client.relayer.getLatestTokenPrices();
 */
export function getLatestTokenPrices(
  client: RelayerClient,
  parameters: GetLatestTokenPricesParameters = {},
): Promise<GetLatestTokenPricesReturnType> {
  return ask(client, 'relayer_getLatestTokenPrices', parameters);
}
