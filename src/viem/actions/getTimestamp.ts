import { askFor, type RelayerClient } from '../ask.ts';
import type { GetTimestampParameters, GetTimestampReturnType } from '../generated/methods.ts';

/**
 * The relayer's clock. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getTimestamp(
  client: RelayerClient,
  parameters: GetTimestampParameters = {},
): Promise<GetTimestampReturnType> {
  return askFor(client, 'relayer_getTimestamp', parameters);
}
