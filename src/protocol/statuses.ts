import { z } from 'zod';
import { deferred } from './deferred.ts';

/** Status of an asynchronous request and of history rows. `received` and `processing` are not final. */
export const requestStatus = deferred(() =>
  z.enum(['received', 'processing', 'processed', 'failed']).describe('Status of the request'),
);
export type RequestStatus = z.output<typeof requestStatus>;

/** Status of an order in submit and cancel answers. */
export const orderStatus = deferred(() =>
  z.enum(['processing', 'processed', 'cancelling', 'cancelled', 'expired', 'failed']).describe('Status of the order'),
);
export type OrderStatus = z.output<typeof orderStatus>;

/** Status of an order in lists: a running relayer also reports `waiting` (accepted, not yet in the book). */
export const listedOrderStatus = deferred(() =>
  z.enum([...orderStatus.options, 'waiting']).describe('Status of the order'),
);
export type ListedOrderStatus = z.output<typeof listedOrderStatus>;

/** Status of an AMM join or exit. */
export const ammTransactionStatus = deferred(() => z.enum(['processing', 'cancelled', 'processed']));
export type AmmTransactionStatus = z.output<typeof ammTransactionStatus>;

/** Where an AMM join or exit happened. */
export const ammLayerType = deferred(() => z.enum(['layer_1', 'layer_2']).describe('Where it happened'));
export type AmmLayerType = z.output<typeof ammLayerType>;

/** Kind of AMM transaction. */
export const ammTransactionType = deferred(() => z.enum(['join', 'exit']));
export type AmmTransactionType = z.output<typeof ammTransactionType>;

/** Acknowledgement of a contract deployment. */
export const deployStatus = deferred(() => z.enum(['SEND_TX_SUCCESS']).describe('The L1 transaction was sent'));
export type DeployStatus = z.output<typeof deployStatus>;

/** Life of a block. The document shows `pending`; the block query also names `confirmed` and `finalized`. */
export const blockStatus = deferred(() =>
  z.enum(['pending', 'confirmed', 'finalized']).describe('Status of the block'),
);
export type BlockStatus = z.output<typeof blockStatus>;

/** Kind of a transaction inside a block. */
export const blockTransactionType = deferred(() =>
  z
    .enum([
      'Noop',
      'Deposit',
      'Withdraw',
      'Transfer',
      'SpotTrade',
      'AccountUpdate',
      'AmmUpdate',
      'JoinAmm',
      'ExitAmm',
      'SignatureVerification',
      'NftMint',
      'NftData',
    ])
    .describe('Kind of transaction'),
);
export type BlockTransactionType = z.output<typeof blockTransactionType>;

/** How an order may meet the book. `AMM` trades against the pool named by `poolAddress`. */
export const orderType = deferred(() => z.enum(['LIMIT_ORDER', 'TAKER_ONLY', 'MAKER_ONLY', 'AMM']));
export type OrderType = z.output<typeof orderType>;

/** Where an order may be filled. */
export const tradeChannel = deferred(() => z.enum(['ORDER_BOOK', 'AMM_POOL', 'MIXED']));
export type TradeChannel = z.output<typeof tradeChannel>;

/** Side of an order as seen from the base token of its market. */
export const orderSide = deferred(() => z.enum(['BUY', 'SELL']));
export type OrderSide = z.output<typeof orderSide>;

/** Whether the contract of an NFT exists on L1. */
export const deploymentStatus = deferred(() => z.enum(['NOT_DEPLOYED', 'DEPLOYING', 'DEPLOYED', 'DEPLOY_FAILED']));
export type DeploymentStatus = z.output<typeof deploymentStatus>;

/** Statuses after which nothing changes any more, per status set. */
export const finalStatuses = {
  request: ['processed', 'failed'],
  order: ['processed', 'cancelled', 'expired', 'failed'],
  ammTransaction: ['cancelled', 'processed'],
} as const satisfies {
  request: readonly RequestStatus[];
  order: readonly OrderStatus[];
  ammTransaction: readonly AmmTransactionStatus[];
};
