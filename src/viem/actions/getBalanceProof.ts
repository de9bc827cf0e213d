import { askFor, type RelayerClient } from '../ask.ts';
import type { GetBalanceProofParameters, GetBalanceProofReturnType } from '../generated/methods.ts';

/**
 * The proof of a balance of the account at the newest block with roots. Shows no window.
 * @throws {RelayerActionError}
 * @example
 * const proof = await client.relayer.getBalanceProof({ tokenId: 1 });
 */
export function getBalanceProof(
  client: RelayerClient,
  parameters: GetBalanceProofParameters,
): Promise<GetBalanceProofReturnType> {
  return askFor(client, 'relayer_getBalanceProof', parameters);
}
