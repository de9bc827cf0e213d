import { VaultError } from '../../vault/index.ts';
import { lockAfterMs } from '../config.ts';
import { UiFailure } from '../uiFailure.ts';
import { wipeWallet } from '../wipeWallet.ts';
import type { UiHandlers } from './uiHandler.ts';
import { opened, opening, walletState } from './vault.ts';

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export const backupHandlers: UiHandlers<
  | 'checkPassword'
  | 'changePassword'
  | 'exportBackup'
  | 'restoreBackup'
  | 'wipe'
  | 'listPasskeys'
  | 'addPasskey'
  | 'removePasskey'
  | 'unlockWithPasskey'
> = {
  async checkPassword({ vault }, { password }) {
    await vault.checkPassword(password);
    return null;
  },

  async changePassword({ vault }, { oldPassword, newPassword }) {
    await vault.changePassword(oldPassword, newPassword);
    return null;
  },

  async exportBackup({ vault, config, ports }, { password }) {
    await vault.checkPassword(password);
    const day = new Date(ports.now()).toISOString().slice(0, 10);
    return {
      file: await vault.exportBackup(JSON.stringify(await config.read())),
      name: `countersign-backup-${day}.json`,
    };
  },

  async restoreBackup(wallet, { file, password }) {
    const { vault, config } = wallet;
    const unreadable = () => new UiFailure('corrupt', 'error_backupUnreadable');
    await vault
      .importBackup(file, password, await lockAfterMs(wallet), async (attached) => {
        // Before the vault: keys without the accounts that they belong to could not be used, nor restored again.
        if (attached !== null && !(await config.replace(attached))) throw unreadable();
      })
      .catch((error: unknown) => {
        throw error instanceof VaultError && error.code === 'corrupt' ? unreadable() : error;
      });
    wallet.ports.toUi();
    return opened(wallet);
  },

  async wipe(wallet) {
    await wipeWallet(wallet);
    wallet.ports.toUi();
    return walletState(wallet);
  },

  listPasskeys: ({ vault }) => vault.listPasskeys(),

  async addPasskey({ vault }, { password, credentialId, prfSalt, prf: given }) {
    const prf = bytesOf(given);
    try {
      await vault.addPasskey(password, { credentialId, prfSalt, prf });
    } finally {
      prf.fill(0);
    }
    return vault.listPasskeys();
  },

  async removePasskey({ vault }, { credentialId }) {
    await vault.removePasskey(credentialId);
    return vault.listPasskeys();
  },

  async unlockWithPasskey(wallet, { credentialId, prf: given }) {
    await opening(wallet);
    const prf = bytesOf(given);
    try {
      await wallet.vault.unlockWithPasskey(credentialId, prf, await lockAfterMs(wallet));
    } finally {
      prf.fill(0);
    }
    return opened(wallet);
  },
};
