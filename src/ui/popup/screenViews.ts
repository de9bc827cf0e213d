import type { ComponentType } from 'preact';
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
import { onDemand } from './onDemand.tsx';
import { OrdersScreen } from './orders/OrdersScreen.tsx';
import { ProofsScreen } from './proofs/ProofsScreen.tsx';
import { QueueScreen } from './queue/QueueScreen.tsx';
import { ReceiveScreen } from './receive/ReceiveScreen.tsx';
import type { ScreenProps } from './screenProps.ts';
import type { ScreenName } from './screens.ts';
import { SecurityScreen } from './security/SecurityScreen.tsx';
import { SettingsScreen } from './settings/SettingsScreen.tsx';
import { SitesScreen } from './sites/SitesScreen.tsx';
import { StandingScreen } from './standing/StandingScreen.tsx';

/** The component of each screen. */
export const screenViews: Readonly<Record<ScreenName, ComponentType<ScreenProps>>> = {
  home: HomeScreen,
  activity: ActivityScreen,
  orders: OrdersScreen,
  nfts: onDemand('tabNfts', 'NftsScreen'),
  send: SendScreen,
  withdraw: WithdrawScreen,
  receive: ReceiveScreen,
  trade: onDemand('tradeTitle', 'MarketPage'),
  pools: onDemand('poolsTitle', 'PoolsScreen'),
  contacts: ContactsScreen,
  sites: SitesScreen,
  standing: StandingScreen,
  accounts: AccountsScreen,
  networks: NetworksScreen,
  key: KeyScreen,
  proofs: ProofsScreen,
  queue: QueueScreen,
  advanced: AdvancedScreen,
  security: SecurityScreen,
  about: AboutScreen,
  settings: SettingsScreen,
  more: MoreScreen,
};
