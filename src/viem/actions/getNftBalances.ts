import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftBalancesParameters, GetNftBalancesReturnType } from '../generated/methods.ts';

/**
 * NFTs of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftBalances = await client.relayer.getNftBalances();
 */
export function getNftBalances(
  client: RelayerClient,
  parameters: GetNftBalancesParameters = {},
): Promise<GetNftBalancesReturnType> {
  return askFor(client, 'relayer_getNftBalances', parameters);
}
