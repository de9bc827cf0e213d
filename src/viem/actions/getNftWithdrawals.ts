import { askFor, type RelayerClient } from '../ask.ts';
import type { GetNftWithdrawalsParameters, GetNftWithdrawalsReturnType } from '../generated/methods.ts';

/**
 * NFT withdrawals of an account. Shows no window; needs the permission *read* and an unlocked
 * wallet.
 * @throws {RelayerActionError}
 * @example
 * const nftWithdrawals = await client.relayer.getNftWithdrawals();
 */
export function getNftWithdrawals(
  client: RelayerClient,
  parameters: GetNftWithdrawalsParameters = {},
): Promise<GetNftWithdrawalsReturnType> {
  return askFor(client, 'relayer_getNftWithdrawals', parameters);
}
