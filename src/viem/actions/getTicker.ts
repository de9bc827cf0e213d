import { ask, type RelayerClient } from '../ask.ts';
import type { GetTickerParameters, GetTickerReturnType } from '../generated/methods.ts';

/**
 * The last 24 hours of order books, one row for each market in the order asked. Shows no window and
 * needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const ticker = await client.relayer.getTicker({ market: ['LRC-ETH'] });
 */
export function getTicker(client: RelayerClient, parameters: GetTickerParameters): Promise<GetTickerReturnType> {
  return ask(client, 'relayer_getTicker', parameters);
}
