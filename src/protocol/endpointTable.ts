import type { z } from 'zod';
import { cancelOrder } from './endpoints/cancelOrder.ts';
import { getAccount } from './endpoints/getAccount.ts';
import { getApiKey } from './endpoints/getApiKey.ts';
import { getBalances } from './endpoints/getBalances.ts';
import { getExchangeInfo } from './endpoints/getExchangeInfo.ts';
import { getMarkets } from './endpoints/getMarkets.ts';
import { getOffchainFee } from './endpoints/getOffchainFee.ts';
import { getOrder } from './endpoints/getOrder.ts';
import { getOrders } from './endpoints/getOrders.ts';
import { getStorageId } from './endpoints/getStorageId.ts';
import { getTimestamp } from './endpoints/getTimestamp.ts';
import { getTokens } from './endpoints/getTokens.ts';
import { resetApiKey } from './endpoints/resetApiKey.ts';
import { submitOrder } from './endpoints/submitOrder.ts';
import { updateAccount } from './endpoints/updateAccount.ts';

/** Every endpoint by name: the wallet's client, the relayer's routes, the OpenAPI document and the tests read this. */
export const endpoints = {
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
} as const;

export type EndpointName = keyof typeof endpoints;

/** Query of an endpoint as a caller writes it; the client turns numbers and booleans into text. */
export type EndpointQuery<N extends EndpointName> = z.input<(typeof endpoints)[N]['query']>;

/** Body of an endpoint as a caller writes it. */
export type EndpointBody<N extends EndpointName> = z.input<(typeof endpoints)[N]['body']>;

/** Answer of an endpoint after it was checked. */
export type EndpointAnswer<N extends EndpointName> = z.output<(typeof endpoints)[N]['answer']>;
