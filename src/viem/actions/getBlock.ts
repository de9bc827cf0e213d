import { askFor, type RelayerClient } from '../ask.ts';
import type { GetBlockParameters, GetBlockReturnType } from '../generated/methods.ts';

/**
 * A block by number, or the latest of a status. Shows no window; needs the permission *read* and an
 * unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const block = await client.relayer.getBlock();
 */
export function getBlock(client: RelayerClient, parameters: GetBlockParameters = {}): Promise<GetBlockReturnType> {
  return askFor(client, 'relayer_getBlock', parameters);
}
