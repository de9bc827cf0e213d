/** Every action by name: `relayerActions` binds these. */
export * from '../generated/reads.ts';
export * from './limitOrder.ts';
export * from './operations.ts';
export * from './previewOrder.ts';
export * from './requests.ts';
export * from './standingApprovals.ts';
export * from './submitOrders.ts';
export * from './subscriptions.ts';
export * from './waitForSubmission.ts';
export { type WatchOrdersParameters, watchOrders } from './watchOrders.ts';
export * from './watchSubmission.ts';
export * from './watchTopic.ts';
