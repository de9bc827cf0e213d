import { ask, type RelayerClient } from '../ask.ts';
import type { GetAmmPoolsStatsParameters, GetAmmPoolsStatsReturnType } from '../generated/methods.ts';

/**
 * Liquidity, volume and yield of pools. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const ammPoolsStats = await client.relayer.getAmmPoolsStats();
 */
export function getAmmPoolsStats(
  client: RelayerClient,
  parameters: GetAmmPoolsStatsParameters = {},
): Promise<GetAmmPoolsStatsReturnType> {
  return ask(client, 'relayer_getAmmPoolsStats', parameters);
}
