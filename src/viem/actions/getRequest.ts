import { ask, type RelayerClient } from '../ask.ts';
import type { GetRequestParameters } from '../generated/methods.ts';
import type { OwnRequest } from './getRequests.ts';

/**
 * One of the site's own requests, however old it is. Nothing is asked of the relayer.
 * @param parameters.requestId - Of a submission, an event or an `OutcomeUnknownError`; or the
 *   request's `idempotencyKey`, for a day after the request was made and until it is final.
 * @throws {ParameterError} The site has no such request.
 * @throws {UnauthorizedError} The site is not connected.
 * @example
 * const { status } = await client.relayer.getRequest({ requestId: error.requestId });
 */
export function getRequest(client: RelayerClient, parameters: GetRequestParameters): Promise<OwnRequest> {
  return ask(client, 'relayer_getRequest', parameters);
}
