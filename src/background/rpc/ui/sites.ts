import type { UiHandlers } from './uiHandler.ts';

export const siteHandlers = {
  listSites: ({ grants }) => grants.list(),

  async revokeSite(wallet, { origin }) {
    await wallet.grants.revoke(origin);
    await wallet.rights.changed(origin);
    return null;
  },

  async revokeGrant(wallet, { origin, account, kind }) {
    await wallet.grants.revokeKind(origin, account, kind);
    await wallet.rights.changed(origin);
    return null;
  },

  async blockSite(wallet, { origin }) {
    await wallet.rights.block(origin);
    return null;
  },

  async unblockSite(wallet, { origin }) {
    await wallet.rights.unblock(origin);
    return null;
  },
} satisfies UiHandlers<'grants' | 'rights'>;
