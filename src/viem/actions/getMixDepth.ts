import { askFor, type RelayerClient } from '../ask.ts';
import type { GetMixDepthParameters, GetMixDepthReturnType } from '../generated/methods.ts';

/**
 * The order book of a market with what its pool offers. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getMixDepth(client: RelayerClient, parameters: GetMixDepthParameters): Promise<GetMixDepthReturnType> {
  return askFor(client, 'relayer_getMixDepth', parameters);
}
