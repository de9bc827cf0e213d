import { ask, type RelayerClient } from '../ask.ts';
import type { RevokeStandingApprovalParameters } from '../generated/methods.ts';

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
