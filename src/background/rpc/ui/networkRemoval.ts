import { reported } from '../../../report/report.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { OWNED } from '../../settings/ownedArea.ts';
import type { Wallet } from '../../wallet.ts';

/**
 * Removes a network with the facts that are kept of it, and its address book.
 * @throws {UiFailure} `network-in-use`
 */
export async function forgetNetwork(
  wallet: Pick<Wallet, 'config' | 'contacts' | 'keyUpdate' | 'ports' | 'relayers'>,
  networkId: string,
): Promise<void> {
  const users = await wallet.keyUpdate.releaseClaims((account) => account.networkId === networkId);
  if (users > 0) throw new UiFailure('network-in-use', 'error_networkInUse', { count: String(users) });
  await wallet.ports.lock(OWNED, async () => {
    const { networks } = await wallet.config.read();
    const others = networks.filter(({ id }) => id !== networkId);
    for (const network of networks) if (network.id === networkId) await wallet.relayers.forget(network, others);
    await wallet.contacts.removeAll(networkId);
    await wallet.config.update((data) => ({ ...data, networks: data.networks.filter(({ id }) => id !== networkId) }));
  });
  await wallet.keyUpdate.discardAbandoned().catch(reported('keyUpdate: remove staged keys'));
}
