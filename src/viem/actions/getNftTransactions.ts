import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftTransactionsParameters, GetNftTransactionsReturnType } from '../generated/methods.ts';

/**
 * NFT requests of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftTransactions = await client.relayer.getNftTransactions();
 */
export function getNftTransactions(
  client: RelayerClient,
  parameters: GetNftTransactionsParameters = {},
): Promise<GetNftTransactionsReturnType> {
  return askFor(client, 'relayer_getNftTransactions', parameters);
}
