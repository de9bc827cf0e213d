export { createGatewayClient, type GatewayClient, GatewayError, type GatewayErrorCode } from './createGatewayClient.ts';
export {
  type ClientRequest,
  createRelayerClient,
  type RelayerClient,
  type RelayerClientOptions,
} from './createRelayerClient.ts';
export { RelayerClientError, type RelayerClientErrorKind, type RequestOutcome, type RetryAdvice } from './errors.ts';
export { type BookSlot, type FollowBookOptions, type FollowedBook, followBook } from './followBook.ts';
export {
  createPush,
  type Push,
  type PushListener,
  type PushNotification,
  type PushOptions,
  type Socket,
} from './push.ts';
export type { RequestPriority } from './scheduler.ts';
