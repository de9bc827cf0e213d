import { keyInfo } from '../../keys/keyUse.ts';
import { accountNamed } from './named.ts';
import type { UiHandlers } from './uiHandler.ts';

export const keyHandlers: UiHandlers<'getKeyInfo', 'config' | 'keyUse'> = {
  getKeyInfo: async (wallet, { account }) => keyInfo(wallet, await accountNamed(wallet, account)),
};
