import { ask, type RelayerClient } from '../ask.ts';
import type { GetTimestampParameters, GetTimestampReturnType } from '../generated/methods.ts';

/**
 * The relayer's clock. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const timestamp = await client.relayer.getTimestamp();
 */
export function getTimestamp(
  client: RelayerClient,
  parameters: GetTimestampParameters = {},
): Promise<GetTimestampReturnType> {
  return ask(client, 'relayer_getTimestamp', parameters);
}
