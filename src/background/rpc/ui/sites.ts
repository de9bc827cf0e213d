import { blockSite, grantsChanged, unblockSite } from '../../approvals/siteRights.ts';
import type { UiHandlers } from './uiHandler.ts';

export const siteHandlers: UiHandlers<'listSites' | 'revokeSite' | 'revokeGrant' | 'blockSite' | 'unblockSite'> = {
  listSites: ({ grants }) => grants.list(),

  async revokeSite(wallet, { origin }) {
    await wallet.grants.revoke(origin);
    await grantsChanged(wallet, origin);
    wallet.ports.toUi();
    return null;
  },

  async revokeGrant(wallet, { origin, account, kind }) {
    await wallet.grants.revokeKind(origin, account, kind);
    await grantsChanged(wallet, origin);
    wallet.ports.toUi();
    return null;
  },

  async blockSite(wallet, { origin }) {
    await blockSite(wallet, origin);
    wallet.ports.toUi();
    return null;
  },

  async unblockSite(wallet, { origin }) {
    await unblockSite(wallet, origin);
    wallet.ports.toUi();
    return null;
  },
};
