import { askFor, type RelayerClient } from '../ask.ts';
import type { GetOrderUserRateAmountParameters, GetOrderUserRateAmountReturnType } from '../generated/methods.ts';

/**
 * Fee rate and least amounts of orders in a market. Shows no window; needs the permission *read*
 * and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const orderUserRateAmount = await client.relayer.getOrderUserRateAmount({ market: 'LRC-ETH' });
 */
export function getOrderUserRateAmount(
  client: RelayerClient,
  parameters: GetOrderUserRateAmountParameters,
): Promise<GetOrderUserRateAmountReturnType> {
  return askFor(client, 'relayer_getOrderUserRateAmount', parameters);
}
