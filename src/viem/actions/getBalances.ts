import { askFor, type RelayerClient } from '../ask.ts';
import type { GetBalancesParameters, GetBalancesReturnType } from '../generated/methods.ts';

/**
 * Token balances of an account. Shows no window; needs the permission *read* and an unlocked
 * wallet.
 * @throws {RelayerActionError}
 * @example
 * const balances = await client.relayer.getBalances();
 */
export function getBalances(
  client: RelayerClient,
  parameters: GetBalancesParameters = {},
): Promise<GetBalancesReturnType> {
  return askFor(client, 'relayer_getBalances', parameters);
}
