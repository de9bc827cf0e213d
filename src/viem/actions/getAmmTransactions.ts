import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAmmTransactionsParameters, GetAmmTransactionsReturnType } from '../generated/methods.ts';

/**
 * Joins and exits of an account. Shows no window; needs the permission *read* and an unlocked
 * wallet.
 * @throws {RelayerActionError}
 * @example
 * const ammTransactions = await client.relayer.getAmmTransactions();
 */
export function getAmmTransactions(
  client: RelayerClient,
  parameters: GetAmmTransactionsParameters = {},
): Promise<GetAmmTransactionsReturnType> {
  return askFor(client, 'relayer_getAmmTransactions', parameters);
}
