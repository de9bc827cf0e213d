import { ask, type RelayerClient } from '../ask.ts';
import type { GetBlockBytesParameters, GetBlockBytesReturnType } from '../generated/methods.ts';

/**
 * Bytes and roots of sealed blocks, from which anybody can rebuild the state. Shows no window and
 * needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const { blocks } = await client.relayer.getBlockBytes({ start: 1 });
 */
export function getBlockBytes(
  client: RelayerClient,
  parameters: GetBlockBytesParameters = {},
): Promise<GetBlockBytesReturnType> {
  return ask(client, 'relayer_getBlockBytes', parameters);
}
