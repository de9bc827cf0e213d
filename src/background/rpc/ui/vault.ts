import { reported } from '../../../report/report.ts';
import { lockAfterMs, readableConfig } from '../../settings/config.ts';
import type { UiHandlers } from './uiHandler.ts';

const creation = {
  async createVault(wallet, { password }) {
    // What a restore left that was stopped before it stored its keys. First, because with a vault
    // they would stay.
    const empty = async () => {
      await wallet.contacts.replace([]);
      await wallet.config.cutTo(({ settings }) => ({ ...readableConfig(undefined), settings }));
    };
    await wallet.vault.create(password, await lockAfterMs(wallet), empty);
    await wallet.locking.created();
    await wallet.locking.tell().catch(reported('lock: tell sites'));
    await wallet.planWake();
    return wallet.walletState();
  },
} satisfies UiHandlers<'config' | 'contacts' | 'locking' | 'planWake' | 'vault' | 'walletState'>;

const access = {
  getState: (wallet) => wallet.walletState(),

  async unlock(wallet, { password }) {
    await wallet.locking.tidyStanding();
    await wallet.vault.unlock(password, await lockAfterMs(wallet));
    return wallet.locking.opened();
  },

  async lock(wallet) {
    await wallet.locking.lock();
    return wallet.walletState();
  },

  async stay(wallet) {
    await wallet.follow.stay();
    return null;
  },

  async touch(wallet) {
    await wallet.vault.touch(await lockAfterMs(wallet));
    return null;
  },
} satisfies UiHandlers<'config' | 'follow' | 'locking' | 'vault' | 'walletState'>;

const settings = {
  async setSettings(wallet, changes) {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await wallet.config.update((data) => ({ ...data, settings: { ...data.settings, ...given } }));
    if (changes.lockAfterMinutes !== undefined) {
      const idleMs = await lockAfterMs(wallet);
      wallet.ports.watchIdle(idleMs);
      await wallet.vault.touch(idleMs);
      await wallet.planWake();
    }
    wallet.ports.toUi();
    return wallet.walletState();
  },
} satisfies UiHandlers<'config' | 'planWake' | 'ports' | 'vault' | 'walletState'>;

export const vaultHandlers = { ...creation, ...access, ...settings };
