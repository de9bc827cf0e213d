import { askFor, type RelayerClient } from '../ask.ts';
import type { GetWithdrawalsParameters, GetWithdrawalsReturnType } from '../generated/methods.ts';

/**
 * Withdrawals of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const withdrawals = await client.relayer.getWithdrawals();
 */
export function getWithdrawals(
  client: RelayerClient,
  parameters: GetWithdrawalsParameters = {},
): Promise<GetWithdrawalsReturnType> {
  return askFor(client, 'relayer_getWithdrawals', parameters);
}
