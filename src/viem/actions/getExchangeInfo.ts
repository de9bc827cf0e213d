import { askFor, type RelayerClient } from '../ask.ts';
import type { GetExchangeInfoParameters, GetExchangeInfoReturnType } from '../generated/methods.ts';

/**
 * Chain id, exchange and deposit address. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getExchangeInfo(
  client: RelayerClient,
  parameters: GetExchangeInfoParameters = {},
): Promise<GetExchangeInfoReturnType> {
  return askFor(client, 'relayer_getExchangeInfo', parameters);
}
