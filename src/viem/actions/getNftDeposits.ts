import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftDepositsParameters, GetNftDepositsReturnType } from '../generated/methods.ts';

/**
 * NFT deposits of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftDeposits = await client.relayer.getNftDeposits();
 */
export function getNftDeposits(
  client: RelayerClient,
  parameters: GetNftDepositsParameters = {},
): Promise<GetNftDepositsReturnType> {
  return askFor(client, 'relayer_getNftDeposits', parameters);
}
