import { askFor, type RelayerClient } from '../ask.ts';
import type { GetUserOrderFeeParameters, GetUserOrderFeeReturnType } from '../generated/methods.ts';

/**
 * Rates that an order pays for the amount bought. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 * @example
 * const userOrderFee = await client.relayer.getUserOrderFee({
 *   market: 'LRC-ETH',
 *   tokenB: 0,
 *   amountB: 10n ** 18n,
 * });
 */
export function getUserOrderFee(
  client: RelayerClient,
  parameters: GetUserOrderFeeParameters,
): Promise<GetUserOrderFeeReturnType> {
  return askFor(client, 'relayer_getUserOrderFee', parameters);
}
