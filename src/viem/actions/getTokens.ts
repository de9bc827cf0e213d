import { ask, type RelayerClient } from '../ask.ts';
import type { GetTokensParameters, GetTokensReturnType } from '../generated/methods.ts';

/**
 * The listed tokens. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const tokens = await client.relayer.getTokens();
 */
export function getTokens(client: RelayerClient, parameters: GetTokensParameters = {}): Promise<GetTokensReturnType> {
  return ask(client, 'relayer_getTokens', parameters);
}
