import { askFor, type RelayerClient } from '../ask.ts';
import type { GetLatestTokenPricesParameters, GetLatestTokenPricesReturnType } from '../generated/methods.ts';

/**
 * Prices of tokens by their layer-1 address, at the operator's list. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getLatestTokenPrices(
  client: RelayerClient,
  parameters: GetLatestTokenPricesParameters = {},
): Promise<GetLatestTokenPricesReturnType> {
  return askFor(client, 'relayer_getLatestTokenPrices', parameters);
}
