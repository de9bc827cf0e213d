import { askFor, type RelayerClient } from '../ask.ts';
import type { GetTradesParameters, GetTradesReturnType } from '../generated/methods.ts';

/**
 * The newest trades of a market. A row is time, id, the taker's side, base amount, price, market, fee, block id, index in block. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getTrades(client: RelayerClient, parameters: GetTradesParameters): Promise<GetTradesReturnType> {
  return askFor(client, 'relayer_getTrades', parameters);
}
