import { ask, type RelayerClient } from '../ask.ts';
import type { WithdrawRequestParameters } from '../generated/methods.ts';

/**
 * Takes back a request of the site that the user has not decided; the request rejects with `RejectedError`, `withdrawn`.
 * @throws {ParameterError} No request of this site waits under the number.
 * @example
 * await client.relayer.withdrawRequest({ requestId: order.requestId });
 */
export function withdrawRequest(client: RelayerClient, parameters: WithdrawRequestParameters): Promise<null> {
  return ask(client, 'relayer_withdrawRequest', parameters);
}
