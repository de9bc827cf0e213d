import type { Hex } from 'viem';
import { ask, type RelayerClient } from '../ask.ts';
import type { GetRequestsParameters } from '../generated/methods.ts';
import type { SubmissionStatus } from '../submission.ts';

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
