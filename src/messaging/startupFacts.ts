import type { HomeView, SiteView, WalletState } from './views.ts';

/**
 * Facts from which a cold worker gives its first answers, as the full background knew them last;
 * only of a wallet that has a vault. Nothing in it is secret.
 */
export interface StartupFacts {
  /** Whether its vault is unlocked is not believed. */
  readonly state: WalletState;
  readonly sites: readonly SiteView[];
}

/**
 * Where `storage.session` holds them, and the home screen of the selected account, as the relayer
 * was last read. The browser empties it when it restarts and when the extension is replaced.
 */
export const startupKeys = { facts: 'startup-snapshot', home: 'startup-home' } as const;

// Checked by hand, and only for what the first answers need: loading and building a schema would
// cost a cold worker more than its answer.
type Fields = Record<string, unknown>;
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isListOf = (list: unknown, isOne: (one: Fields) => boolean): boolean =>
  Array.isArray(list) && list.every((one) => isRecord(one) && isOne(one));

const isState = ({ networks, accounts, settings, openApprovals }: Fields): boolean =>
  isListOf(networks, ({ id, baseUrl, chainId }) => isText(id) && isText(baseUrl) && Number.isSafeInteger(chainId)) &&
  isListOf(accounts, ({ id, networkId, owner }) => isText(id) && isText(networkId) && isText(owner)) &&
  isRecord(settings) &&
  Number.isSafeInteger(openApprovals);

const isSite = ({ origin, blocked, grants }: Fields): boolean =>
  isText(origin) &&
  typeof blocked === 'boolean' &&
  isListOf(grants, ({ account, kinds }) => isText(account) && Array.isArray(kinds));

export const isStartupFacts = (stored: unknown): stored is StartupFacts =>
  isRecord(stored) && isRecord(stored.state) && isState(stored.state) && isListOf(stored.sites, isSite);

/** Enough to be drawn; it is read again while it is on the screen. */
export const isHomeView = (stored: unknown): stored is HomeView =>
  isRecord(stored) &&
  isRecord(stored.account) &&
  isListOf(stored.balances, ({ token }) => isRecord(token)) &&
  isListOf(stored.activity, ({ sentence }) => isRecord(sentence));
