import { bytesToHex } from '@noble/hashes/utils.js';
import type { RecoveredSecret } from '../../../messaging/views.ts';
import type { SecretInfo } from '../../../vault/index.ts';
import { keyText } from '../../keys/keyText.ts';
import type { UiHandlers } from './uiHandler.ts';

/** A secret as people write it down. */
function textOf(kind: SecretInfo['kind'], bytes: Uint8Array): string {
  switch (kind) {
    case 'eddsa-key':
    case 'pending-eddsa-key':
      return keyText(Uint8Array.from(bytes));
    case 'l1-key':
      return `0x${bytesToHex(bytes)}`;
    case 'mnemonic':
    case 'api-key':
      return new TextDecoder().decode(bytes);
  }
}

/**
 * The way to the secrets when nothing else works: it needs the vault alone, neither the
 * configuration nor the journal.
 */
export const recoveryHandlers = {
  async recoverSecrets({ vault }, { password }) {
    await vault.checkPassword(password);
    const found: RecoveredSecret[] = [];
    for (const { id, account, kind } of await vault.listSecrets()) {
      // A damaged one must not hide the others.
      const text = await vault
        .withSecret(id, (bytes) => textOf(kind, bytes))
        .catch((error: unknown) => {
          if ((error as { code?: unknown }).code === 'damaged') return null;
          throw error;
        });
      found.push({ id, account, kind, text });
    }
    return found;
  },
} satisfies UiHandlers<'vault'>;
