import type { RelayerClient } from '../ask.ts';
import { type LimitOrderParameters, toOrderParameters } from '../orders/toOrderParameters.ts';
import { readTradedMarket } from '../orders/tradedMarket.ts';
import { type SubmitOrderReturnType, submitOrder } from './operations.ts';

/**
 * Asks for a limit order in whole tokens. Opens the approval window; settles when the relayer has
 * answered. Needs the permission *orders*. `previewOrder` tells before whether the order can be
 * taken.
 * @throws {ParameterError} Before the window opens. `field` is `market`, `side`, `price` (also one
 *   between two steps of the market), or `size` (also one outside the limits of the market).
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `RelayerRefusedError`,
 *   `OutcomeUnknownError`, …
 * @example
 * const order = await client.relayer.limitOrder({ market: 'LRC-ETH', side: 'SELL', price: '0.0000667', size: '1000' });
 */
export async function limitOrder(
  client: RelayerClient,
  parameters: LimitOrderParameters,
): Promise<SubmitOrderReturnType> {
  return submitOrder(client, toOrderParameters(await readTradedMarket(client, parameters.market), parameters));
}
