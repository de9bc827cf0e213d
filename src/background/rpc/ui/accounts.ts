import type { WalletState } from '../../../messaging/views.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import type { ConfigData } from '../../settings/storedConfig.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, networkNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Changes the config, tells our pages, and answers with the new state. */
async function changed(
  wallet: Pick<Wallet, 'config' | 'ports' | 'walletState'>,
  change: (data: ConfigData) => ConfigData,
): Promise<WalletState> {
  await wallet.config.update(change);
  wallet.ports.toUi();
  return wallet.walletState();
}

const named = {
  async selectAccount(wallet, { account }) {
    await accountNamed(wallet, account);
    return changed(wallet, (data) => ({ ...data, selectedAccount: account }));
  },

  async renameAccount(wallet, { account, label }) {
    await accountNamed(wallet, account);
    return changed(wallet, (data) => ({
      ...data,
      accounts: data.accounts.map((entry) => (entry.id === account ? { ...entry, label } : entry)),
    }));
  },

  async removeAccount(wallet, { account: id, password, unconfirmed = false }) {
    const { removal, vault } = wallet;
    const account = await accountNamed(wallet, id);
    await vault.checkPassword(password);
    await removal.checkRemovable(id);
    await removal.endSubmissions(account, unconfirmed);
    // First what could still ask for the keys.
    await removal.endRights(id);
    // Again, because what was approved before may have been signed meanwhile.
    await removal.endSubmissions(account, unconfirmed);
    await removal.removeListed(id);
    wallet.ports.toUi();
    wallet.follow.leave(id);
    return wallet.walletState();
  },

  async renameNetwork(wallet, { networkId, name }) {
    await networkNamed(wallet, networkId);
    return changed(wallet, (data) => ({
      ...data,
      networks: data.networks.map((entry) => (entry.id === networkId ? { ...entry, name } : entry)),
    }));
  },
} satisfies UiHandlers<'config' | 'follow' | 'ports' | 'removal' | 'vault' | 'walletState'>;

const networks = {
  async removeNetwork(wallet, { networkId }) {
    await networkNamed(wallet, networkId);
    await wallet.removal.forgetNetwork(networkId);
    wallet.ports.toUi();
    return wallet.walletState();
  },
} satisfies UiHandlers<'config' | 'ports' | 'removal' | 'walletState'>;

const exchanges = {
  async checkNetwork(wallet, { networkId }) {
    const network = await networkNamed(wallet, networkId);
    const { chainId, exchangeAddress } = await wallet.relayers.client(network).getExchangeInfo({});
    const reported = { chainId, exchangeAddress };
    const same = await wallet.relayers.checkExchange(network, { reported }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UiFailure && error.code === 'exchange-changed') return false;
        throw error;
      },
    );
    return { reported, same };
  },

  async getTokenChanges(wallet, { networkId }) {
    return wallet.relayers.tokenChanges(await networkNamed(wallet, networkId));
  },

  async acceptToken(wallet, { networkId, shown, password }) {
    const network = await networkNamed(wallet, networkId);
    if (!(await wallet.vault.isUnlocked())) throw new UiFailure('locked', 'error_locked');
    await wallet.vault.checkPassword(password);
    await wallet.relayers.acceptToken(network, shown);
    wallet.ports.toUi();
    return wallet.relayers.knownChanges(networkId);
  },
} satisfies UiHandlers<'config' | 'ports' | 'relayers' | 'vault'>;

export const accountHandlers = { ...named, ...networks, ...exchanges };
