import { ask, type RelayerClient } from '../ask.ts';
import type { GetWithdrawalAgentsParameters, GetWithdrawalAgentsReturnType } from '../generated/methods.ts';

/**
 * How much of a token can be withdrawn fast; an empty list when it cannot. Shows no window and
 * needs no connection.
 * @throws {RelayerActionError}
 * @example
 * const withdrawalAgents = await client.relayer.getWithdrawalAgents({ tokenId: 1 });
 */
export function getWithdrawalAgents(
  client: RelayerClient,
  parameters: GetWithdrawalAgentsParameters,
): Promise<GetWithdrawalAgentsReturnType> {
  return ask(client, 'relayer_getWithdrawalAgents', parameters);
}
