import { askFor, type RelayerClient } from '../ask.ts';
import type { GetUserTradesParameters, GetUserTradesReturnType } from '../generated/methods.ts';

/**
 * Trades of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const userTrades = await client.relayer.getUserTrades();
 */
export function getUserTrades(
  client: RelayerClient,
  parameters: GetUserTradesParameters = {},
): Promise<GetUserTradesReturnType> {
  return askFor(client, 'relayer_getUserTrades', parameters);
}
