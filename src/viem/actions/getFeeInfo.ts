import { askFor, type RelayerClient } from '../ask.ts';
import type { GetFeeInfoParameters, GetFeeInfoReturnType } from '../generated/methods.ts';

/**
 * What the exchange charges. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getFeeInfo(
  client: RelayerClient,
  parameters: GetFeeInfoParameters = {},
): Promise<GetFeeInfoReturnType> {
  return askFor(client, 'relayer_getFeeInfo', parameters);
}
