import { askFor, type RelayerClient } from '../ask.ts';
import type { GetUserFeeRatesParameters, GetUserFeeRatesReturnType } from '../generated/methods.ts';

/**
 * Rates of the account in markets. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getUserFeeRates(
  client: RelayerClient,
  parameters: GetUserFeeRatesParameters,
): Promise<GetUserFeeRatesReturnType> {
  return askFor(client, 'relayer_getUserFeeRates', parameters);
}
