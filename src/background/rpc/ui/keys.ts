import type { KeyInfo } from '../../../messaging/views.ts';
import type { StoredAccount } from '../../settings/config.ts';
import type { Wallet } from '../../wallet.ts';
import { accountNamed, type UiHandlers } from './uiHandler.ts';

export async function keyInfo({ keyUse }: Pick<Wallet, 'keyUse'>, account: StoredAccount): Promise<KeyInfo> {
  return {
    account: account.id,
    publicKey: account.publicKey,
    kind: account.key?.kind ?? 'derived',
    since: account.key?.since ?? null,
    signatures: await keyUse.signatures(account),
  };
}

export const keyHandlers: UiHandlers<'getKeyInfo'> = {
  getKeyInfo: async (wallet, { account }) => keyInfo(wallet, await accountNamed(wallet, account)),
};
