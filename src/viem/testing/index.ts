export { type OpenWalletOptions, openWallet, type TestWallet } from './openWallet.ts';
export { startRelayer, type TestRelayer } from './startRelayer.ts';
