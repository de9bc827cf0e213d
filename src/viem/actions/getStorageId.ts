import { askFor, type RelayerClient } from '../ask.ts';
import type { GetStorageIdParameters, GetStorageIdReturnType } from '../generated/methods.ts';

/**
 * The next storage ids of an account and token. Shows no window; needs the permission *read* and an
 * unlocked wallet.
 * @throws {RelayerActionError}
 * @example
 * const storageId = await client.relayer.getStorageId({ sellTokenId: 1 });
 */
export function getStorageId(
  client: RelayerClient,
  parameters: GetStorageIdParameters,
): Promise<GetStorageIdReturnType> {
  return askFor(client, 'relayer_getStorageId', parameters);
}
