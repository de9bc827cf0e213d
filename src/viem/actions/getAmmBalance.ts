import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAmmBalanceParameters, GetAmmBalanceReturnType } from '../generated/methods.ts';

/**
 * Tokens inside a pool. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const ammBalance = await client.relayer.getAmmBalance({
 *   poolAddress: '0x8888888888888888888888888888888888888888',
 * });
 */
export function getAmmBalance(
  client: RelayerClient,
  parameters: GetAmmBalanceParameters,
): Promise<GetAmmBalanceReturnType> {
  return askFor(client, 'relayer_getAmmBalance', parameters);
}
