import { ask, type RelayerClient } from '../ask.ts';
import type { GetAmmBalancesParameters, GetAmmBalancesReturnType } from '../generated/methods.ts';

/**
 * Tokens inside all pools. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const ammBalances = await client.relayer.getAmmBalances();
 */
export function getAmmBalances(
  client: RelayerClient,
  parameters: GetAmmBalancesParameters = {},
): Promise<GetAmmBalancesReturnType> {
  return ask(client, 'relayer_getAmmBalances', parameters);
}
