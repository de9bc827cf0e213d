import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAmmPoolsStatsParameters, GetAmmPoolsStatsReturnType } from '../generated/methods.ts';

/**
 * Liquidity, volume and yield of pools. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getAmmPoolsStats(
  client: RelayerClient,
  parameters: GetAmmPoolsStatsParameters = {},
): Promise<GetAmmPoolsStatsReturnType> {
  return askFor(client, 'relayer_getAmmPoolsStats', parameters);
}
