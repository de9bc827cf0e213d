import type { Address } from 'viem';
import { askFor, type RelayerClient } from '../ask.ts';
import type { GetStandingApprovalsParameters } from '../generated/methods.ts';

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
