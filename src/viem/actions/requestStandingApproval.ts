import { askFor, type RelayerClient } from '../ask.ts';
import type { RequestStandingApprovalParameters } from '../generated/methods.ts';

export interface RequestStandingApprovalReturnType {
  /** For `revokeStandingApproval`. */
  readonly id: string;
  /** Unix seconds. */
  readonly validUntil: number;
}

/**
 * Asks for a standing approval: orders and cancellations within its limits are then signed without
 * a window, until it is used up, expires, or the user ends it. Opens the approval window. Needs the
 * permission *orders*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, `ParameterError`, …
 * @example
 * await client.relayer.requestStandingApproval({
 *   sellTokenId: 1,
 *   buyTokenId: 0,
 *   minPrice: '0.00006',
 *   orderVolume: parseEther('1000'),
 *   totalVolume: parseEther('10000'),
 *   rate: { requests: 10, seconds: 60 },
 *   validUntil: Math.floor(Date.now() / 1000) + 3600,
 * });
 */
export function requestStandingApproval(
  client: RelayerClient,
  parameters: RequestStandingApprovalParameters,
): Promise<RequestStandingApprovalReturnType> {
  return askFor(client, 'relayer_requestStandingApproval', parameters, true);
}
