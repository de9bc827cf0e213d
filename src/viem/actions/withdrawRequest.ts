import { ask, type RelayerClient } from '../ask.ts';
import type { WithdrawRequestParameters } from '../generated/methods.ts';

/**
 * Takes back a request of the site of which nothing is signed yet, approved or not. The request
 * rejects with `RejectedError`, `withdrawn`; with `OutcomeUnknownError` when the relayer had
 * refused an earlier signature of it.
 * @param parameters.requestId - As `getRequest` takes it.
 * @throws {ParameterError} No request of this site waits under it.
 * @example
 * const [request] = await client.relayer.getRequests();
 * if (request?.status === 'pending') await client.relayer.withdrawRequest({ requestId: request.requestId });
 */
export function withdrawRequest(client: RelayerClient, parameters: WithdrawRequestParameters): Promise<null> {
  return ask(client, 'relayer_withdrawRequest', parameters);
}
