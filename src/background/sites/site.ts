import { isSameAddress } from '../../ethereum/address.ts';
import type { NetworkView } from '../../messaging/views.ts';
import type { PermissionKind } from '../../operations/permissionKinds.ts';
import { unauthorized } from '../errors/rpcError.ts';
import type { AccountOnNetwork } from '../settings/config.ts';
import type { StoredAccount } from '../settings/storedConfig.ts';
import type { Grants } from './grants.ts';
import { permissionsOf } from './permissionsOf.ts';
import { chainOf, grantedAccounts, networkOf, ownersSeen, type Visible, visibleAccounts } from './visibleAccounts.ts';

/**
 * An account that a site may use for a call. Only the router makes one, from the grants of the
 * site.
 */
export type Granted = AccountOnNetwork;

interface Sites extends Visible<StoredAccount> {
  readonly grants: Pick<Grants, 'of' | 'revoke' | 'revokeKind'>;
  /** Closes and tells what follows from a change of the grants. */
  changed(origin: string): Promise<void>;
}

/** View and rights of one site, and the calls by which it gives them back. */
export function createSite(sites: Sites, origin: string) {
  const kindsOf = async (account: string): Promise<readonly PermissionKind[]> =>
    (await sites.grants.of(origin))?.grants.find((grant) => grant.account === account)?.kinds ?? [];

  return {
    origin,
    /** Accounts that it sees, in its own order. */
    accounts: () => visibleAccounts(sites, origin),
    /** @throws {RpcError} `unauthorized` when it sees no account of this owner. */
    async accountOf(owner: string): Promise<StoredAccount> {
      const seen = await visibleAccounts(sites, origin);
      const account = seen.find((one) => isSameAddress(one.owner, owner));
      if (!account) throw unauthorized('otherAccount', `account: this site does not see ${owner}`);
      return account;
    },
    owners: () => ownersSeen(sites, origin),
    chain: () => chainOf(sites, origin),
    network: () => networkOf(sites, origin),
    permissions: () => permissionsOf(sites, origin),
    kindsOf,

    /** A network of the chain that has an account; `undefined` when there is none. */
    async networkOfChain(chainId: number): Promise<NetworkView | undefined> {
      const { networks, accounts } = await sites.config.read();
      const usable = networks.filter(
        (network) => network.chainId === chainId && accounts.some(({ networkId }) => networkId === network.id),
      );
      const granted = await grantedAccounts(sites, origin);
      // Two relayers can serve one chain; the one that the site has been on before is meant.
      return usable.find(({ id }) => granted.some(({ networkId }) => networkId === id)) ?? usable[0];
    },

    /**
     * Gives back the named kinds of all accounts; the whole connection when `connection` is true.
     */
    async revoke(kinds: readonly PermissionKind[], connection: boolean): Promise<void> {
      if (connection) await sites.grants.revoke(origin);
      else {
        const given = (await sites.grants.of(origin))?.grants ?? [];
        for (const kind of kinds) for (const { account } of given) await sites.grants.revokeKind(origin, account, kind);
      }
      await sites.changed(origin);
    },
  };
}

export type Site = ReturnType<typeof createSite>;
