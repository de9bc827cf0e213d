import { askFor, type RelayerClient } from '../ask.ts';
import type { GetPriceParameters, GetPriceReturnType } from '../generated/methods.ts';

/**
 * Prices of tokens in a legal currency, at the operator's list. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getPrice(client: RelayerClient, parameters: GetPriceParameters): Promise<GetPriceReturnType> {
  return askFor(client, 'relayer_getPrice', parameters);
}
