import { askFor, type RelayerClient } from '../ask.ts';
import type { UpdateAccountKeyParameters } from '../generated/methods.ts';
import type { Submission } from '../submission.ts';

export interface UpdateAccountKeyReturnType extends Submission {
  /**
   * The key that takes the old one's place once the relayer has carried it out; absent with
   * `awaiting-approval`.
   */
  readonly publicKey?: { readonly x: string; readonly y: string };
}

/**
 * Asks for a new account key. The user chooses in the wallet which one and how it is
 * kept; open orders and standing approvals end with the old key. Needs the permission *key*.
 * @throws {RelayerActionError} `RejectedError`, `UnauthorizedError`, …
 * @example
 * await client.relayer.updateAccountKey();
 */
export function updateAccountKey(
  client: RelayerClient,
  parameters: UpdateAccountKeyParameters = {},
): Promise<UpdateAccountKeyReturnType> {
  return askFor(client, 'relayer_updateAccountKey', parameters, true);
}
