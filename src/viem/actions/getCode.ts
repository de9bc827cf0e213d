import { ask, type RelayerClient } from '../ask.ts';
import type { GetCodeParameters, GetCodeReturnType } from '../generated/methods.ts';

/**
 * L1 code of an NFT contract; 0x while it is not deployed. Shows no window and needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const code = await client.relayer.getCode({ address: '0x8888888888888888888888888888888888888888' });
 */
export function getCode(client: RelayerClient, parameters: GetCodeParameters): Promise<GetCodeReturnType> {
  return ask(client, 'relayer_getCode', parameters);
}
