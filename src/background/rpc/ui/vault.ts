import type { WalletState } from '../../../messaging/views.ts';
import { lockWallet } from '../../lifecycle/lockWallet.ts';
import { resumeUnlocked } from '../../lifecycle/resume.ts';
import { lockAfterMs } from '../../settings/config.ts';
import { walletState } from '../../settings/walletState.ts';
import { endLocked } from '../../sites/standingApprovals.ts';
import { tellLock } from '../../sites/tellLock.ts';
import type { Wallet } from '../../wallet.ts';
import type { UiHandlers } from './uiHandler.ts';

/** Before an unlock, by whatever way; however it was locked: by hand, by the deadline, or with the browser. */
export async function opening(wallet: Wallet): Promise<void> {
  // A store that fails keeps nobody out; what could not be ended answers nothing until it is.
  await endLocked(wallet).catch(() => {});
}

/** After an unlock, by whatever way: standing work goes on. */
export async function opened(wallet: Wallet): Promise<WalletState> {
  const state = await walletState(wallet);
  // Behind what the person waits for.
  resumeUnlocked(wallet).catch(() => {});
  return state;
}

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
