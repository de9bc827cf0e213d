export { createGatewayClient, GatewayError } from './createGatewayClient.ts';
export {
  type ClientRequest,
  createRelayerClient,
  type RelayerClient,
  type RelayerClientOptions,
} from './createRelayerClient.ts';
export { RelayerClientError } from './errors.ts';
export { BOOK_SLOTS, type FollowedBook, followBook } from './followBook.ts';
export {
  createPush,
  type Push,
  type PushListener,
  type PushNotification,
  type PushOptions,
  type Socket,
} from './push.ts';
