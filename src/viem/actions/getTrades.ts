import { ask, type RelayerClient } from '../ask.ts';
import type { GetTradesParameters, GetTradesReturnType } from '../generated/methods.ts';

/**
 * The newest trades of a market. A row is time, id, the taker's side, base amount, price, market,
 * fee, block id, index in block. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const trades = await client.relayer.getTrades({ market: 'LRC-ETH' });
 */
export function getTrades(client: RelayerClient, parameters: GetTradesParameters): Promise<GetTradesReturnType> {
  return ask(client, 'relayer_getTrades', parameters);
}
