import type { ComponentType } from 'preact';
import type { WalletState } from '../../messaging/views.ts';
import type { IconName } from '../shared/Icon.tsx';
import { AboutScreen } from './about/AboutScreen.tsx';
import { AccountsScreen } from './accounts/AccountsScreen.tsx';
import { ActivityScreen } from './activity/ActivityScreen.tsx';
import { AdvancedScreen } from './advanced/AdvancedScreen.tsx';
import { ContactsScreen } from './contacts/ContactsScreen.tsx';
import { HomeScreen } from './home/HomeScreen.tsx';
import { KeyScreen } from './key/KeyScreen.tsx';
import { MoreScreen } from './more/MoreScreen.tsx';
import { SendScreen, WithdrawScreen } from './move/MoveScreen.tsx';
import { NetworksScreen } from './networks/NetworksScreen.tsx';
import { NftsScreen } from './nfts/NftsScreen.tsx';
import { OrdersScreen } from './orders/OrdersScreen.tsx';
import { PoolsScreen } from './pools/PoolsScreen.tsx';
import { QueueScreen } from './queue/QueueScreen.tsx';
import { ReceiveScreen } from './receive/ReceiveScreen.tsx';
import { SecurityScreen } from './security/SecurityScreen.tsx';
import { SettingsScreen } from './settings/SettingsScreen.tsx';
import { SitesScreen } from './sites/SitesScreen.tsx';
import { StandingScreen } from './standing/StandingScreen.tsx';

export interface ScreenProps {
  readonly wallet: WalletState;
  readonly onWallet: (wallet: WalletState) => void;
  /** What the screen is about: the parts of the address behind its name. */
  readonly rest: readonly string[];
}

export interface Screen {
  /** First part of the address, `#/name`. */
  readonly name: string;
  /** Message of the catalogs. */
  readonly label: string;
  readonly icon: IconName;
  /** `bar`: always in the navigation. `more`: behind "More", and in the navigation of wide windows. `inner`: reached from another screen. */
  readonly place: 'bar' | 'more' | 'inner';
  /** For `inner`: the screen that leads here, marked in the navigation meanwhile. */
  readonly parent?: string;
  readonly view: ComponentType<ScreenProps>;
}

/** All screens of popup, side panel and full tab, in the order of the navigation. */
export const screens: readonly Screen[] = [
  { name: 'home', label: 'tabHome', icon: 'home', place: 'bar', view: HomeScreen },
  { name: 'activity', label: 'tabActivity', icon: 'list', place: 'bar', view: ActivityScreen },
  { name: 'orders', label: 'tabOrders', icon: 'orders', place: 'bar', view: OrdersScreen },
  { name: 'nfts', label: 'tabNfts', icon: 'picture', place: 'bar', view: NftsScreen },
  { name: 'send', label: 'sendTitle', icon: 'send', place: 'inner', parent: 'home', view: SendScreen },
  { name: 'withdraw', label: 'withdrawTitle', icon: 'arrowDown', place: 'inner', parent: 'home', view: WithdrawScreen },
  { name: 'receive', label: 'receiveTitle', icon: 'qr', place: 'inner', parent: 'home', view: ReceiveScreen },
  { name: 'pools', label: 'poolsTitle', icon: 'pool', place: 'more', view: PoolsScreen },
  { name: 'contacts', label: 'contactsTitle', icon: 'book', place: 'more', view: ContactsScreen },
  { name: 'sites', label: 'tabSites', icon: 'globe', place: 'more', view: SitesScreen },
  {
    name: 'standing',
    label: 'standing_new',
    icon: 'globe',
    place: 'inner',
    parent: 'sites',
    view: StandingScreen,
  },
  { name: 'accounts', label: 'accountsTitle', icon: 'users', place: 'more', view: AccountsScreen },
  {
    name: 'networks',
    label: 'settingsNetworks',
    icon: 'list',
    place: 'inner',
    parent: 'settings',
    view: NetworksScreen,
  },
  { name: 'key', label: 'keyTitle', icon: 'key', place: 'inner', parent: 'accounts', view: KeyScreen },
  { name: 'queue', label: 'queueTitle', icon: 'clock', place: 'inner', parent: 'home', view: QueueScreen },
  { name: 'advanced', label: 'advancedTitle', icon: 'list', place: 'inner', parent: 'settings', view: AdvancedScreen },
  {
    name: 'security',
    label: 'securityTitle',
    icon: 'lock',
    place: 'inner',
    parent: 'settings',
    view: SecurityScreen,
  },
  { name: 'about', label: 'aboutTitle', icon: 'info', place: 'inner', parent: 'settings', view: AboutScreen },
  { name: 'settings', label: 'tabSettings', icon: 'settings', place: 'more', view: SettingsScreen },
  { name: 'more', label: 'tabMore', icon: 'more', place: 'bar', view: MoreScreen },
];

export function screenNamed(name: string): Screen {
  const found = screens.find((screen) => screen.name === name) ?? screens[0];
  if (found === undefined) throw new Error('there are no screens');
  return found;
}
