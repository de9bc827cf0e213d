import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAmmBalancesParameters, GetAmmBalancesReturnType } from '../generated/methods.ts';

/**
 * Tokens inside all pools. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getAmmBalances(
  client: RelayerClient,
  parameters: GetAmmBalancesParameters = {},
): Promise<GetAmmBalancesReturnType> {
  return askFor(client, 'relayer_getAmmBalances', parameters);
}
