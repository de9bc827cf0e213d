import { askFor, type RelayerClient } from '../ask.ts';
import type { GetAccountParameters, GetAccountReturnType } from '../generated/methods.ts';

/**
 * The L2 account of an owner, by address or id. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 * @example
 * const account = await client.relayer.getAccount();
 */
export function getAccount(
  client: RelayerClient,
  parameters: GetAccountParameters = {},
): Promise<GetAccountReturnType> {
  return askFor(client, 'relayer_getAccount', parameters);
}
