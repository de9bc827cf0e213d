import { askFor, type RelayerClient } from '../ask.ts';
import type { GetTokensParameters, GetTokensReturnType } from '../generated/methods.ts';

/**
 * The listed tokens. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 */
export function getTokens(client: RelayerClient, parameters: GetTokensParameters = {}): Promise<GetTokensReturnType> {
  return askFor(client, 'relayer_getTokens', parameters);
}
