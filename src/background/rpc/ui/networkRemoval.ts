import { UiFailure } from '../../errors/uiFailure.ts';
import type { Wallet } from '../../wallet.ts';

/**
 * Facts that are kept of a network, and its address book.
 * @throws {UiFailure} `network-in-use`
 */
export async function forgetNetwork(
  wallet: Pick<Wallet, 'contacts' | 'keyUpdate' | 'relayers'>,
  networkId: string,
): Promise<void> {
  const users = await wallet.keyUpdate.releaseClaims((account) => account.networkId === networkId);
  if (users > 0) throw new UiFailure('network-in-use', 'error_networkInUse', { count: String(users) });
  await wallet.relayers.forget(networkId);
  await wallet.contacts.removeAll(networkId);
}
