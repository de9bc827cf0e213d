import { askFor, type RelayerClient } from '../ask.ts';
import type { GetUserFeeRatesParameters, GetUserFeeRatesReturnType } from '../generated/methods.ts';

/**
 * Rates of the account in markets. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 * @example
 * const userFeeRates = await client.relayer.getUserFeeRates({ markets: ['LRC-ETH', 'LRC-USDT'] });
 */
export function getUserFeeRates(
  client: RelayerClient,
  parameters: GetUserFeeRatesParameters,
): Promise<GetUserFeeRatesReturnType> {
  return askFor(client, 'relayer_getUserFeeRates', parameters);
}
