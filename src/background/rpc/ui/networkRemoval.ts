import { reported } from '../../../report/report.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import type { StoredAccount } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';

/**
 * Removes a network with the facts that are kept of it, and its address book.
 * @throws {UiFailure} `network-in-use`, `key-update-open`
 */
export async function forgetNetwork(
  wallet: Pick<Wallet, 'config' | 'contacts' | 'keyUpdate' | 'relayers'>,
  networkId: string,
): Promise<void> {
  const isUser = (account: StoredAccount) => account.networkId === networkId;
  const refuse = (users: number) => {
    if (users > 0) throw new UiFailure('network-in-use', 'error_networkInUse', { count: String(users) });
  };
  refuse(await wallet.keyUpdate.releaseClaims(isUser));
  await wallet.config.cutTo(async (data) => {
    // Again: another tab may have added one while the relayer was asked.
    refuse([...data.accounts, ...data.claimed].filter(isUser).length);
    wallet.relayers.forget(networkId);
    await wallet.contacts.removeAll(networkId);
    return { ...data, networks: data.networks.filter(({ id }) => id !== networkId) };
  });
  await wallet.keyUpdate.discardAbandoned().catch(reported('keyUpdate: remove staged keys'));
}
