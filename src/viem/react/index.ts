export { type UseBalancesParameters, useBalances } from './useBalances.ts';
export { type UseOpenOrdersParameters, useOpenOrders } from './useOpenOrders.ts';
export { type UseRelayerWalletParameters, useRelayerWallet } from './useRelayerWallet.ts';
export { type UseSubmissionParameters, useSubmission } from './useSubmission.ts';
export type { Watched } from './useWatched.ts';
