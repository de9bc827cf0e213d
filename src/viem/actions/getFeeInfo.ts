import { ask, type RelayerClient } from '../ask.ts';
import type { GetFeeInfoParameters, GetFeeInfoReturnType } from '../generated/methods.ts';

/**
 * Reads the fees of the exchange. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const feeInfo = await client.relayer.getFeeInfo();
 */
export function getFeeInfo(
  client: RelayerClient,
  parameters: GetFeeInfoParameters = {},
): Promise<GetFeeInfoReturnType> {
  return ask(client, 'relayer_getFeeInfo', parameters);
}
