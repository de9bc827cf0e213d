import { askFor, type RelayerClient } from '../ask.ts';
import type { GetDepositsParameters, GetDepositsReturnType } from '../generated/methods.ts';

/**
 * Deposits of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const deposits = await client.relayer.getDeposits();
 */
export function getDeposits(
  client: RelayerClient,
  parameters: GetDepositsParameters = {},
): Promise<GetDepositsReturnType> {
  return askFor(client, 'relayer_getDeposits', parameters);
}
