import { lockWallet } from '../../lifecycle/lockWallet.ts';
import { lockAfterMs } from '../../settings/config.ts';
import { walletState } from '../../settings/walletState.ts';
import { tellLock } from '../../sites/tellLock.ts';
import type { UiHandlers } from './uiHandler.ts';
import { opened, opening } from './unlocking.ts';

export const vaultHandlers: UiHandlers<'getState' | 'createVault' | 'unlock' | 'lock' | 'touch' | 'setSettings'> = {
  getState: (wallet) => walletState(wallet),

  async createVault(wallet, { password }) {
    await wallet.vault.create(password, await lockAfterMs(wallet));
    await tellLock(wallet).catch(() => {});
    return walletState(wallet);
  },

  async unlock(wallet, { password }) {
    await opening(wallet);
    await wallet.vault.unlock(password, await lockAfterMs(wallet));
    return opened(wallet);
  },

  async lock(wallet) {
    await lockWallet(wallet);
    return walletState(wallet);
  },

  async touch(wallet) {
    await wallet.vault.touch(await lockAfterMs(wallet));
    return null;
  },

  async setSettings(wallet, changes) {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    await wallet.config.update((data) => ({ ...data, settings: { ...data.settings, ...given } }));
    wallet.ports.watchIdle(await lockAfterMs(wallet));
    wallet.ports.toUi();
    return walletState(wallet);
  },
};
