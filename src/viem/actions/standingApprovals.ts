import type { Address } from 'viem';
import { ask, askFor, type RelayerClient } from '../ask.ts';
import type {
  GetStandingApprovalsParameters,
  RequestStandingApprovalParameters,
  RevokeStandingApprovalParameters,
} from '../generated/methods.ts';

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

/** A standing approval of the site that is in force, with what is used of it. */
export interface StandingApproval {
  readonly id: string;
  readonly account: Address;
  readonly operations: readonly ('submitOrder' | 'cancelOrder')[];
  readonly sellTokenId: number;
  readonly buyTokenId: number;
  /** Quote tokens for one base token, decimal text. */
  readonly minPrice?: string;
  readonly maxPrice?: string;
  /** Most that one order, and all together, may sell; base units. */
  readonly orderVolume: string;
  readonly totalVolume: string;
  readonly rate: { readonly requests: number; readonly seconds: number };
  /** Unix seconds. */
  readonly validUntil: number;
  readonly endsWithLock: boolean;
  /** Base units sold so far, at worst: what was signed counts, filled or not. */
  readonly soldVolume: string;
  /** Signatures in the window that ends now. */
  readonly recent: number;
}

/**
 * The site's own standing approvals that are in force, newest first. With an account, which the
 * client may have, it needs the permission *orders*.
 * @throws {RelayerActionError}
 * @example
 * const standingApprovals = await client.relayer.getStandingApprovals();
 */
export function getStandingApprovals(
  client: RelayerClient,
  parameters: GetStandingApprovalsParameters = {},
): Promise<readonly StandingApproval[]> {
  return askFor(client, 'relayer_getStandingApprovals', parameters);
}

/**
 * Gives a standing approval of the site back.
 * @throws {ParameterError} `id` names none of this site.
 * @example
 * await client.relayer.revokeStandingApproval({ id: approval.id });
 */
export function revokeStandingApproval(
  client: RelayerClient,
  parameters: RevokeStandingApprovalParameters,
): Promise<null> {
  return ask(client, 'relayer_revokeStandingApproval', parameters);
}
