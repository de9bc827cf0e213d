import { base64Bytes } from '../../../messaging/base64.ts';
import { MAX_BACKUP_LENGTH } from '../../../messaging/limits.ts';
import type { BackupPart } from '../../../messaging/views.ts';
import { once } from '../../../protocol/once.ts';
import { parseJson } from '../../../protocol/parseJson.ts';
import { z } from '../../../protocol/zod.ts';
import { reported, reportedAs } from '../../../report/report.ts';
import { roomFor } from '../../../storage/roomFor.ts';
import { VaultError } from '../../../vault/index.ts';
import { UiFailure } from '../../errors/uiFailure.ts';
import { pinAgain, pinned } from '../../relayers/backupPins.ts';
import { lockAfterMs, readableConfig, readableSettings } from '../../settings/config.ts';
import { contactsSchema } from '../../settings/contacts.ts';
import { configSchema } from '../../settings/storedConfig.ts';
import type { UiHandlers } from './uiHandler.ts';

/**
 * Parts of a backup beside the vault. Earlier versions left the address book, the pins, or the
 * proofs of balances out.
 */
const attachedSchema = once(() =>
  z.extend(configSchema(), {
    settings: z.pipe(
      z.unknown(),
      // The right to show notifications belongs to a browser.
      z.transform((given) => ({ ...readableSettings(given), notifications: false })),
    ),
    contacts: z._default(contactsSchema(), []),
    pins: z._default(z.catch(z.record(z.string(), z.unknown()), {}), {}),
    proofs: z._default(z.catch(z.record(z.string(), z.unknown()), {}), {}),
  }),
);

/** Characters of a backup that stay free, such as for a key that is stored meanwhile. */
const SPARE = 8_192;

const files = {
  async exportBackup({ vault, config, contacts, balanceProofs, ports }, { password }) {
    await vault.checkPassword(password);
    const day = new Date(ports.now()).toISOString().slice(0, 10);
    const missing = new Set<BackupPart>();
    // The secrets are worth a backup without what does not answer.
    const without =
      <T>(part: BackupPart, instead: T) =>
      (error: unknown): T => {
        missing.add(part);
        return reportedAs('backup: left out', instead)(error);
      };
    const data = await config.read().catch(without('settings', readableConfig(undefined)));
    if (!(await config.isWhole().catch(reportedAs('backup: settings', false)))) missing.add('settings');
    const attached: z.input<ReturnType<typeof attachedSchema>> = {
      ...data,
      contacts: await contacts.read().catch(without('contacts', [])),
    };
    const pack = () => vault.exportBackup(JSON.stringify(attached), () => missing.add('secrets'));
    // A restore refuses a longer file; what is attached stands there as base64, four characters for
    // three bytes.
    const room = async () => ((MAX_BACKUP_LENGTH - SPARE - (await pack()).length) * 3) / 4;
    for (const [part, instead] of [
      ['contacts', { contacts: [] }],
      ['settings', readableConfig(undefined)],
    ] as const)
      if ((await room()) < 0) Object.assign(attached, without(part, instead)(new Error('too large')));
    attached.pins = await pinned(ports, attached.networks, await room(), () => missing.add('pins')).catch(
      without('pins', {}),
    );
    const accounts = attached.accounts.map(({ id }) => id);
    const fits = roomFor(await room(), () => missing.add('proofs'));
    attached.proofs = await balanceProofs.stored(accounts, fits).catch(without('proofs', {}));
    return { file: await pack(), name: `countersign-backup-${day}.json`, missing: [...missing] };
  },

  async restoreBackup(wallet, { file, password }) {
    const { vault, config, contacts, balanceProofs } = wallet;
    const unreadable = () => new UiFailure('corrupt', 'error_backupUnreadable');
    let undo = async () => {};
    await vault
      .importBackup(file, password, await lockAfterMs(wallet), async (attached) => {
        const before = await config.read();
        const known = await contacts.read();
        undo = async () => {
          await config.cutTo(() => before);
          await contacts.replace(known);
        };
        const restored = { restoredAt: wallet.ports.now(), isUndated: true };
        if (attached === null) return config.replace({ ...before, ...restored });
        const found = attachedSchema().safeParse(parseJson(attached));
        if (!found.success) throw unreadable();
        // Before the vault: keys without the accounts that they belong to could not be used, nor
        // restored again.
        const { contacts: kept, pins, proofs, ...data } = found.data;
        await config.cutTo(() => ({ ...data, ...restored }));
        await pinAgain(wallet.ports, data.networks, pins);
        await contacts.replace(kept);
        await balanceProofs.replace(proofs);
      })
      .catch(async (error: unknown) => {
        // Without their keys the accounts must not stay, such as beside those of a wallet that is
        // made next.
        if (!(await vault.exists())) await undo().catch(reported('backup: put back the accounts'));
        throw error instanceof VaultError && /^(corrupt|damaged)$/.test(error.code) ? unreadable() : error;
      });
    const idleMs = await lockAfterMs(wallet);
    wallet.ports.watchIdle(idleMs);
    await vault.touch(idleMs);
    await wallet.locking.created();
    return wallet.locking.opened();
  },
} satisfies UiHandlers<'balanceProofs' | 'config' | 'contacts' | 'locking' | 'ports' | 'vault'>;

const access = {
  async checkPassword({ vault }, { password }) {
    await vault.checkPassword(password);
    return null;
  },

  async changePassword({ vault }, { oldPassword, newPassword }) {
    return { passkeysGone: await vault.changePassword(oldPassword, newPassword) };
  },

  async wipe(wallet) {
    const next = await wallet.wipe();
    next.ports.toUi();
    return next.walletState();
  },

  listPasskeys: ({ vault }) => vault.listPasskeys(),

  async addPasskey({ vault }, { password, credentialId, prfSalt, prf: given }) {
    const prf = base64Bytes(given);
    try {
      await vault.addPasskey(password, { credentialId, prfSalt, prf });
    } finally {
      prf.fill(0);
    }
    return vault.listPasskeys();
  },

  async removePasskey({ vault }, { password, credentialId }) {
    await vault.removePasskey(password, credentialId);
    return vault.listPasskeys();
  },

  async unlockWithPasskey(wallet, { credentialId, prf: given }) {
    await wallet.locking.tidyStanding();
    const prf = base64Bytes(given);
    try {
      await wallet.vault.unlockWithPasskey(credentialId, prf, await lockAfterMs(wallet));
    } finally {
      prf.fill(0);
    }
    return wallet.locking.opened();
  },
} satisfies UiHandlers<'config' | 'locking' | 'vault' | 'wipe'>;

export const backupHandlers = { ...access, ...files };
