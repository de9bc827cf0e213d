import type { EndpointName } from '../../protocol/endpointTable.ts';
import type { Route } from '../server/route.ts';
import { cancelOrder } from './cancelOrder.ts';
import { getAccount } from './getAccount.ts';
import { getApiKey } from './getApiKey.ts';
import { getBalances } from './getBalances.ts';
import { getExchangeInfo } from './getExchangeInfo.ts';
import { getMarkets } from './getMarkets.ts';
import { getOffchainFee } from './getOffchainFee.ts';
import { getOrder } from './getOrder.ts';
import { getOrders } from './getOrders.ts';
import { getStorageId } from './getStorageId.ts';
import { getTimestamp } from './getTimestamp.ts';
import { getTokens } from './getTokens.ts';
import { resetApiKey } from './resetApiKey.ts';
import { submitOrder } from './submitOrder.ts';
import { updateAccount } from './updateAccount.ts';

/** One route for every endpoint of the table; a missing one does not compile. */
export const routes: { readonly [N in EndpointName]?: Route<N> } = {
  getTimestamp,
  getExchangeInfo,
  getTokens,
  getMarkets,
  getAccount,
  getApiKey,
  resetApiKey,
  getStorageId,
  getBalances,
  submitOrder,
  cancelOrder,
  getOrder,
  getOrders,
  updateAccount,
  getOffchainFee,
};
