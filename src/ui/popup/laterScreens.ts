/** Screens whose code comes when one of them is opened. */
export { NftsScreen } from './nfts/NftsScreen.tsx';
export { PoolsScreen } from './pools/PoolsScreen.tsx';
export { MarketPage } from './trade/MarketPage.tsx';
