import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAmmTradesParameters, GetAmmTradesReturnType } from '../generated/methods.ts';

/**
 * The newest trades of a pool. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getAmmTrades(
  client: RelayerClient,
  parameters: GetAmmTradesParameters,
): Promise<GetAmmTradesReturnType> {
  return askFor(client, 'relayer_getAmmTrades', parameters);
}
