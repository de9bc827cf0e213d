import type { IconName } from '../shared/Icon.tsx';

export interface Screen {
  /** First part of the address, `#/name`. */
  readonly name: string;
  /** Message of the catalogs. */
  readonly label: string;
  readonly icon: IconName;
  /**
   * `bar`: always in the navigation. `more`: behind "More", and in the navigation of wide windows.
   * `inner`: reached from another screen.
   */
  readonly place: 'bar' | 'more' | 'inner';
  /** For `inner`: the screen that leads here, marked in the navigation meanwhile. */
  readonly parent?: string;
  /** For `more`: the first of a group. */
  readonly starts?: true;
}

export const screens = [
  { name: 'home', label: 'tabHome', icon: 'home', place: 'bar' },
  { name: 'activity', label: 'activityTitle', icon: 'list', place: 'bar' },
  { name: 'orders', label: 'tabOrders', icon: 'orders', place: 'bar' },
  { name: 'nfts', label: 'tabNfts', icon: 'picture', place: 'bar' },
  { name: 'send', label: 'sendTitle', icon: 'send', place: 'inner', parent: 'home' },
  { name: 'withdraw', label: 'operation_withdraw', icon: 'withdraw', place: 'inner', parent: 'home' },
  { name: 'receive', label: 'receiveTitle', icon: 'receive', place: 'inner', parent: 'home' },
  { name: 'trade', label: 'tradeTitle', icon: 'candles', place: 'more' },
  { name: 'pools', label: 'poolsTitle', icon: 'pool', place: 'more' },
  { name: 'contacts', label: 'contactsTitle', icon: 'book', place: 'more' },
  { name: 'sites', label: 'tabSites', icon: 'globe', place: 'more', starts: true },
  { name: 'standing', label: 'standing_new', icon: 'clock', place: 'inner', parent: 'sites' },
  { name: 'accounts', label: 'accountsTitle', icon: 'users', place: 'more' },
  { name: 'networks', label: 'settingsNetworks', icon: 'globe', place: 'inner', parent: 'settings' },
  { name: 'key', label: 'keyTitle', icon: 'key', place: 'inner', parent: 'accounts' },
  { name: 'proofs', label: 'proofsTitle', icon: 'check', place: 'inner', parent: 'accounts' },
  { name: 'queue', label: 'queueTitle', icon: 'clock', place: 'inner', parent: 'home' },
  { name: 'advanced', label: 'advancedTitle', icon: 'list', place: 'inner', parent: 'settings' },
  { name: 'security', label: 'securityTitle', icon: 'lock', place: 'inner', parent: 'settings' },
  { name: 'about', label: 'aboutTitle', icon: 'info', place: 'inner', parent: 'settings' },
  { name: 'settings', label: 'tabSettings', icon: 'settings', place: 'more' },
  { name: 'more', label: 'tabMore', icon: 'more', place: 'bar' },
] as const satisfies readonly Screen[];

export type ScreenName = (typeof screens)[number]['name'];

/** The screen of an address; the first one when there is no such screen. */
export const screenNamed = (name: string) => screens.find((screen) => screen.name === name) ?? screens[0];
