import { askFor, type RelayerClient } from '../ask.ts';
import type { GetUserTransactionsParameters, GetUserTransactionsReturnType } from '../generated/methods.ts';

/**
 * Deposits, transfers, withdrawals and key updates of an account. Shows no window; needs the
 * permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const userTransactions = await client.relayer.getUserTransactions();
 */
export function getUserTransactions(
  client: RelayerClient,
  parameters: GetUserTransactionsParameters = {},
): Promise<GetUserTransactionsReturnType> {
  return askFor(client, 'relayer_getUserTransactions', parameters);
}
