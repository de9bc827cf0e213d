import { askFor, type RelayerClient } from '../ask.ts';
import type { GetTransfersParameters, GetTransfersReturnType } from '../generated/methods.ts';

/**
 * Transfers of an account. Shows no window; needs the permission *read* and an unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const transfers = await client.relayer.getTransfers();
 */
export function getTransfers(
  client: RelayerClient,
  parameters: GetTransfersParameters = {},
): Promise<GetTransfersReturnType> {
  return askFor(client, 'relayer_getTransfers', parameters);
}
