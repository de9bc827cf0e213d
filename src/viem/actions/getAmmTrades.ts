import { ask, type RelayerClient } from '../ask.ts';
import type { GetAmmTradesParameters, GetAmmTradesReturnType } from '../generated/methods.ts';

/**
 * The newest trades of a pool. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const ammTrades = await client.relayer.getAmmTrades({
 *   ammPoolAddress: '0x8888888888888888888888888888888888888888',
 * });
 */
export function getAmmTrades(
  client: RelayerClient,
  parameters: GetAmmTradesParameters,
): Promise<GetAmmTradesReturnType> {
  return ask(client, 'relayer_getAmmTrades', parameters);
}
