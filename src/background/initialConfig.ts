import type { Settings } from '../messaging/views.ts';
import type { ConfigData } from './config.ts';

export const initialConfig: ConfigData = {
  version: 1,
  networks: [],
  signers: [],
  accounts: [],
  claimed: [],
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
