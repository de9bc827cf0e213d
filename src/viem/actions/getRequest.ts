import { ask, type RelayerClient } from '../ask.ts';
import type { GetRequestParameters } from '../generated/methods.ts';
import type { OwnRequest } from './getRequests.ts';

/**
 * One of the site's own requests. Nothing is asked of the relayer. The wallet keeps it for a day
 * and until it can no longer be carried out; then its record, until 1,000 later requests of all
 * sites have ended. Without a record, a request of the last day is `unknown`.
 * @param parameters.requestId - Of a submission, an event or an `OutcomeUnknownError`; or the
 *   request's `idempotencyKey`, for a day after the request was made and until it is final.
 * @throws {ParameterError} The site has no such request, or it is forgotten.
 * @throws {UnauthorizedError} The site is not connected.
 * @example
 * const { status } = await client.relayer.getRequest({ requestId: error.requestId });
 */
export function getRequest(client: RelayerClient, parameters: GetRequestParameters): Promise<OwnRequest> {
  return ask(client, 'relayer_getRequest', parameters);
}
