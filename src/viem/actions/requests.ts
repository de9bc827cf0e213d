import type { Hex } from 'viem';
import { ask, type RelayerClient } from '../ask.ts';
import type {
  GetReceiptParameters,
  GetRequestParameters,
  GetRequestsParameters,
  WithdrawRequestParameters,
} from '../generated/methods.ts';
import type { SubmissionStatus } from '../submission.ts';

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

/** One of the site's own requests. */
export interface OwnRequest {
  readonly requestId: string;
  /** Such as `submitOrder`, or `connect`. */
  readonly operation: string;
  readonly idempotencyKey?: string;
  /** `unknown` also when the wallet has forgotten what became of it. */
  readonly status: SubmissionStatus;
  /** `null` before it was signed. */
  readonly hash: Hex | null;
  /**
   * Until when the relayer can still carry it out, Unix seconds: with `unknown`, and with `failed`,
   * `expired` or `refused` that is its word alone.
   */
  readonly validUntil?: number;
  readonly storageId?: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/**
 * The site's own requests, newest first: those that wait for the user, and what became of the
 * others. Nothing is asked of the relayer.
 * @throws {UnauthorizedError} The site is not connected.
 * @example
 * const requests = await client.relayer.getRequests();
 */
export function getRequests(
  client: RelayerClient,
  parameters: GetRequestsParameters = {},
): Promise<readonly OwnRequest[]> {
  return ask(client, 'relayer_getRequests', parameters);
}

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

/**
 * The wallet's journal record of a request, as JSON. `npm run verify-receipt` and a page of the
 * wallet check it.
 */
export interface Receipt {
  readonly format: 'countersign-receipt';
  readonly version: 1;
  readonly requestId: string;
  readonly operation: string;
  /** Hash that was signed; `null` without `request`. */
  readonly hash: string | null;
  /** The sent request, byte for byte; `null` when nothing was signed or has left the wallet. */
  readonly request: { readonly endpoint: string; readonly bodyText?: string } | null;
  readonly status: string;
  readonly [field: string]: unknown;
}

/**
 * A receipt of one of the site's own requests: what was signed and sent, by which key, and what the
 * relayer answered. What the user was shown is in the user's own copy only.
 * @param parameters.requestId - As `getRequest` takes it.
 * @throws {ParameterError} No request of this site was approved under it.
 * @example
 * const receipt = await client.relayer.getReceipt({ requestId: order.requestId });
 */
export function getReceipt(client: RelayerClient, parameters: GetReceiptParameters): Promise<Receipt> {
  return ask(client, 'relayer_getReceipt', parameters);
}
