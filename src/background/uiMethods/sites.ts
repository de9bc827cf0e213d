import { grantsChanged } from '../visibility.ts';
import type { UiHandlers } from './uiHandler.ts';

export const siteHandlers: UiHandlers<'listSites' | 'revokeSite' | 'unblockSite'> = {
  listSites: ({ grants }) => grants.list(),

  async revokeSite(wallet, { origin }) {
    await wallet.grants.revoke(origin);
    await grantsChanged(wallet, origin);
    wallet.ports.toUi();
    return null;
  },

  async unblockSite(wallet, { origin }) {
    await wallet.grants.setBlocked(origin, false);
    wallet.ports.toUi();
    return null;
  },
};
