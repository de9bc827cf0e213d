import { askFor, type RelayerClient } from '../ask.ts';
import type { GetCounterFactualInfoParameters, GetCounterFactualInfoReturnType } from '../generated/methods.ts';

/**
 * How the smart wallet of an account is derived. Shows no window; needs the permission *read*.
 * @throws {RelayerActionError}
 * @example
 * const counterFactualInfo = await client.relayer.getCounterFactualInfo();
 */
export function getCounterFactualInfo(
  client: RelayerClient,
  parameters: GetCounterFactualInfoParameters = {},
): Promise<GetCounterFactualInfoReturnType> {
  return askFor(client, 'relayer_getCounterFactualInfo', parameters);
}
