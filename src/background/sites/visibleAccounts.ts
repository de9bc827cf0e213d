import type { NetworkView, SiteView } from '../../messaging/views.ts';

interface OwnedAccount {
  readonly id: string;
  readonly networkId: string;
  readonly owner: string;
}

/**
 * All that it takes to tell a site what it sees, so that a cold worker can tell it before the rest
 * is loaded.
 */
export interface Visible<Account extends OwnedAccount = OwnedAccount> {
  readonly config: {
    read(): Promise<{ readonly networks: readonly NetworkView[]; readonly accounts: readonly Account[] }>;
  };
  /** Of one origin, as it counts now. */
  readonly grants: { of(origin: string): Promise<SiteView | undefined> };
}

/** Accounts that are granted to an origin, on any network, in the order of its grants. */
export async function grantedAccounts<Account extends OwnedAccount>(
  { config, grants }: Visible<Account>,
  origin: string,
): Promise<Account[]> {
  const { accounts } = await config.read();
  return ((await grants.of(origin))?.grants ?? []).flatMap(
    ({ account }) => accounts.find(({ id }) => id === account) ?? [],
  );
}

/**
 * Accounts that an origin sees, in the order of its grants: those of one network, which the first
 * of them decides. Others are granted and unseen until the site switches to their network.
 */
export async function visibleAccounts<Account extends OwnedAccount>(
  visible: Visible<Account>,
  origin: string,
): Promise<Account[]> {
  const granted = await grantedAccounts(visible, origin);
  return granted.filter(({ networkId }) => networkId === granted[0]?.networkId);
}

/** The network that an origin is on: that of the accounts it sees, else the first one there is. */
export async function networkOf(wallet: Visible, origin: string): Promise<NetworkView | undefined> {
  const { networks } = await wallet.config.read();
  const [first] = await visibleAccounts(wallet, origin);
  return networks.find(({ id }) => id === first?.networkId) ?? networks[0];
}

export const hexChain = (chainId: number | undefined): string => `0x${(chainId ?? 0).toString(16)}`;

/** Chain of an origin's network as pages see it; `0x0` before any network is set up. */
export const chainOf = async (wallet: Visible, origin: string): Promise<string> =>
  hexChain((await networkOf(wallet, origin))?.chainId);

/** Owner addresses that an origin sees. */
export const ownersSeen = async (wallet: Visible, origin: string): Promise<string[]> =>
  (await visibleAccounts(wallet, origin)).map(({ owner }) => owner);
