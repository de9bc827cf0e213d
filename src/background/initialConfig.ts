import type { AccountView, Settings } from '../messaging/views.ts';
import type { ConfigData, StoredAccount } from './config.ts';

export const initialConfig: ConfigData = {
  version: 1,
  networks: [],
  signers: [],
  accounts: [],
  selectedAccount: null,
  settings: {
    lockAfterMinutes: 15,
    theme: 'system',
    contrast: 'system',
    language: 'system',
    ipfsGateway: '',
    notifications: false,
  } satisfies Settings,
};

/** Without what only the background needs. */
export function accountView({ signer: _, keySeed: __, key: ___, smart, ...view }: StoredAccount): AccountView {
  return smart ? { ...view, smart: smart.kind } : view;
}
